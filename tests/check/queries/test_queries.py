"""Rules about queries, procedures and their SQL, by case files; spans and fixes where a line is not enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.case_files import expected, reported
from tests.check.checking import check_text, mended

CASES = sorted((Path(__file__).parent / "cases").glob("*.atl"))

SCHEMA = """
entity Song in tunes {
  id    bigint primary
  title text not null
  unitPrice int
  order int
}
entity Album in tunes { id bigint primary  title text not null  table "vinyl.albums" }
entity Song in chants { id bigint primary }
"""


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    assert reported(case) == expected(case.read_text("utf-8"))


def query(sql: str, output: str = "{ id: bigint }", touches: str = "Song") -> str:
    return SCHEMA + f"query Q for tunes.Song {{ input {{ }} output {output} sql touches({touches}) {{{sql}}} }}\n"


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        (query("SELECT id FORM tunes.song"), "ATL607", "tunes"),
        (query("SELECT '→é' FORM tunes.song"), "ATL607", "tunes"),
        (query("\r\n\tSELECT id\r\n\tFORM tunes.song\r\n"), "ATL607", "tunes"),
        (query(" SELECT s.titel FROM tunes.song s "), "ATL612", "titel"),
        (query(" SELECT x.id FROM tunes.song s "), "ATL612", "x"),
        (query(" SELECT '😀', unitPrice FROM tunes.song "), "ATL612", "unitPrice"),
        (query(" SELECT a.id FROM tunes.song JOIN vinyl . Albums a ON true "), "ATL608", "vinyl . Albums"),
        (query(' SELECT id FROM "tunes"."songs" '), "ATL614", '"tunes"."songs"'),
        (query(" SELECT id FROM tunes.song; /* x */ SELECT 2 "), "ATL609", "SELECT"),
        (query(" SELECT id, title FROM tunes.song "), "ATL615", "output"),
        (query(" SELECT id FROM tunes.song ", touches="Song, Album"), "ATL616", "Album"),
        (query(" SELECT id FROM tunes.song ", touches="Song, tunes.Song"), "ATL604", "tunes.Song"),
        (query(" SELECT id FROM vinyl.albums ", touches="Album"), "ATL603", "touches"),
        (query(" DELETE FROM tunes.song RETURNING id "), "ATL611", "DELETE"),
        (query(" SELECT set_config('a', 'b', true) AS id FROM tunes.song "), "ATL610", "set_config"),
    ],
)
def test_span(text: str, code: str, at: str) -> None:
    places = [f.place for f in check_text(text) if f.code == code]
    assert [place.text for place in places] == [at]


@pytest.mark.parametrize(
    ("text", "code", "wanted"),
    [
        (query(" SELECT a.id FROM tunes.song JOIN vinyl.albums a ON true "), "ATL608", "touches(Song, Album)"),
        (query(" SELECT a.id FROM tunes.song JOIN chants.song a ON true "), "ATL608", "touches(Song, chants.Song)"),
        (query(" SELECT id FROM vinyl.albums ", touches="Album"), "ATL603", "touches(Album, Song)"),
        (query(" SELECT id FROM vinyl.albums ", touches=""), "ATL604", "touches(Song, Album)"),
        (query(" SELECT id FROM tunes.song ", touches="Song, Album"), "ATL616", "touches(Song)"),
        (query(" SELECT id FROM tunes.song ", touches="Album, Song"), "ATL616", "touches(Song)"),
        (query(" SELECT id FROM tunes.song ", touches="Song,\n    Song"), "ATL604", "touches(Song)"),
        (query(" SELECT unitPrise AS id FROM tunes.song "), "ATL612", 'SELECT "unitPrice" AS'),
        (query(" SELECT s.ordr AS id FROM tunes.song s "), "ATL612", 'SELECT s."order" AS'),
        (query(" SELECT id FROM tunes.song WHERE titl = '' "), "ATL612", "WHERE title ="),
        (query(" SELECT id FROM song "), "ATL614", "FROM tunes.song "),
        (query(" SELECT id FROM tunes.songs "), "ATL614", "FROM tunes.song "),
        (query(" SELECT id FROM tunes_songs "), "ATL614", "FROM tunes.song "),
        (query(" SELECT id FROM atlantis.tunes_sogn "), "ATL614", "FROM atlantis.tunes_song "),
        (query(" SELECT id FROM tune.song "), "ATL614", "FROM tunes.song "),
    ],
)
def test_fix(text: str, code: str, wanted: str) -> None:
    (fix,) = next(f for f in check_text(text) if f.code == code).fixes
    after = mended(text, fix)
    assert wanted in after
    assert code not in {f.code for f in check_text(after)}


def test_an_insert_is_completed_in_its_own_layout() -> None:
    text = """
entity Guest in inn {
  id   bigint primary
  name text not null
  room int not null
}
procedure CheckIn for Guest {
  input { id: bigint, name: text }
  steps {
    insert Guest {
      id = $id,
    }
    insert Guest { id = $id, name = $name }
  }
}
"""
    first, second = (f for f in check_text(text) if f.code == "ATL613")
    assert "      id = $id,\n      name = $name,\n      room = 0,\n    }" in mended(text, first.fixes[0])
    assert "insert Guest { id = $id, name = $name, room = 0 }" in mended(text, second.fixes[0])
