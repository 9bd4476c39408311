"""The shared fixture gives a server that answers, of the binaries that were asked for."""

from pathlib import Path

import pytest

from tests.server import Unavailable, binaries, program, running


def test_it_answers(server: str) -> None:
    import psycopg

    with psycopg.connect(server) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_the_binaries_that_are_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ATL_POSTGRES", raising=False)
    client = program("psql")
    monkeypatch.setenv("ATL_POSTGRES", str(tmp_path))
    assert binaries() == [tmp_path]
    assert program("psql") == client
    (tmp_path / "psql").touch()
    assert program("psql") == tmp_path / "psql"
    with pytest.raises(Unavailable, match="initdb"), running(tmp_path):
        pass
