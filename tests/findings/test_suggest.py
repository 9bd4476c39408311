"""Did-you-mean finds the near name, among few and among many."""

from __future__ import annotations

import pytest

from atl.findings.suggest import closest

MANY = [f"{a}{b}" for a in ("Order", "Invoice", "Customer", "Visit", "Room") for b in range(400)]


@pytest.mark.parametrize(
    ("word", "candidates", "wanted"),
    [
        ("Cabn", ["Cabin", "Deck"], "Cabin"),
        ("cabin", ["Cabin", "Deck"], "Cabin"),
        ("Cabin", ["Cabin"], None),
        ("Cabin", ["Cabin", "CABIN"], "CABIN"),
        ("serail", ["id", "serial"], "serial"),
        ("xyz", ["Cabin", "Deck"], None),
        ("anything", [], None),
        ("Shipmnet", [*MANY, "Shipment"], "Shipment"),
        ("hipment", [*MANY, "Shipment"], "Shipment"),
        ("SHIPMENT", [*MANY, "Shipment"], "Shipment"),
    ],
)
def test_closest(word: str, candidates: list[str], wanted: str | None) -> None:
    assert closest(word, candidates) == wanted
    assert closest(word, reversed(candidates)) == wanted
