"""Words of SQL that are shown as keywords."""

from __future__ import annotations

__all__ = ["SQL_WORDS"]

SQL_WORDS = frozenset(
    """all analyze and any array as asc between both by case cast collate conflict constraint create cross current
    current_date current_role current_time current_timestamp current_user default deferrable delete desc distinct do
    else end escape except exclude excluded exists explain extract false fetch filter first following for from full
    group grouping having ilike in inner insert intersect interval into is isnull join key last lateral leading left
    like limit localtime localtimestamp locked materialized matched merge natural no not nothing notnull null nulls of
    offset on only or order ordinality others outer over overriding partition preceding range recursive returning
    right row rows select session_user set similar skip some symmetric system table then ties to trailing true unbounded
    union unique update user using values when where window with within without zone""".split()  # noqa: SIM905 - a list of words, to be read as one
)
