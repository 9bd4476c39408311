"""What was expected and what was found, in words."""

from __future__ import annotations

from collections.abc import Iterable

from atl.syntax import _table as k
from atl.syntax.driver import TABLE, Run
from atl.syntax.nodes import Name

__all__ = ["BODY_PHRASES", "any_of", "expected", "found", "home_phrases"]

BODY_PHRASES = {
    "entity": "an entity",
    "hyper": "a hypertable",
    "job": "a job",
    "workflow": "a workflow",
    "step": "a step of a workflow",
    "ephemeral": "an ephemeral",
    "query": "a query",
    "procedure": "a procedure",
    "steps": "a procedure's `steps`",
    "cache": "a `cache` block",
    "fields": "a block of fields",
}
_MEMBERS = {
    "entity": "a field, a clause or `}`",
    "hyper": "a field, a clause or `}`",
    "job": "a clause or `}`",
    "workflow": "`state`, `step`, `compensate` or `}`",
    "step": "`job`, `args` or `}`",
    "ephemeral": "a field, `ttl` or `}`",
    "query": "`input`, `output`, `sql`, `cache` or `}`",
    "procedure": "`input`, `steps`, `invalidate` or `}`",
    "steps": "a step (`update`, `insert`, `delete`, `enqueue`, `sql`) or `}`",
    "cache": "`read_through`, `invalidate_on`, `consistency` or `}`",
    "fields": "a field or `}`",
}
_PHRASES = {
    "type": "a type",
    "duration": "a duration such as `30s`",
    "default_value": "a default value",
    "plain_default": "a default value",
    "labels": "a label or `}`",
    "label": "a label",
    "expr": "a value",
    "value": "a value",
    "columns": "a field or `expr`",
    "column": "a field or `expr`",
    "names": "a field's name",
    "call_list": "an argument, or the end of the list",
    "arg": "an argument",
    "sets": "`field = value`",
    "set": "`field = value`",
    "params": "`name: type`",
    "param": "`name: type`",
    "out_params": "`name: type`",
    "out_param": "`name: type`",
    "writes": "`write(...)`",
    "write": "`write(...)`",
    "touched": "an entity",
    "refs": "an entity",
    "path": "`namespace.Entity.field`",
    "ref": "a name",
}
_VALUES = {
    k.NAME: "a name",
    k.INT: "a whole number",
    k.DECIMAL: "a number",
    k.DURATION: "a duration",
    k.STRING: "a string",
    k.PARAM: "`$name`",
    k.RAW_SQL: "SQL",
    k.PREDICATE: "a condition",
    k.ROW_CHECK: "`check`",
}
_HIDDEN = frozenset((k.NAME_BOL, k.NAME_RESERVED, k.BARE, k.KEY_PRIMARY, k.KEY_UNIQUE, k.UNIQUE_INDEX, k.END))


def any_of(items: Iterable[str]) -> str:
    """`a`, `b` or `c`."""
    parts = list(dict.fromkeys(items))
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def home_phrases(states: Iterable[int]) -> list[str]:
    return list(dict.fromkeys(BODY_PHRASES[k.BODIES[state]] for state in states))


def expected(parse: Run) -> str:
    """What could stand here, in words."""
    state = parse.states[-1]
    if state in k.BODIES:
        return _MEMBERS[k.BODIES[state]]
    for nonterminal, phrase in _PHRASES.items():
        if TABLE[state + k.NONTERMINALS[nonterminal]]:
            return phrase
    kinds = [kind for kind in _candidates(state) if parse.viable(kind)]
    if TABLE[state + k.NONTERMINALS["literal"]]:
        none = ["`none`"] if k.NONE in kinds else []
        return "a whole number" if TABLE[state + k.BARE] else any_of(["a duration such as `30s`", *none])
    level = parse.body()
    parts = []
    if _COMPARISONS.issubset(kinds):
        parts.append("a comparison")
        kinds = [kind for kind in kinds if kind not in _COMPARISONS]
    if level >= 0 and parse.brace() < level and k.RBRACE in kinds:
        body = parse.states[level]
        if type(parse.values[level]) is Name:
            parts.append("a modifier")
            kinds = []
        kinds = [kind for kind in kinds if not TABLE[body + kind]]
        parts += (_VALUES.get(kind) or f"`{_SPELLED[kind]}`" for kind in kinds)
        return ", ".join([*parts, _MEMBERS[k.BODIES[body]]])
    parts += (_VALUES.get(kind) or f"`{_SPELLED[kind]}`" for kind in kinds)
    return any_of(parts) if parts else "something else"


_COMPARISONS = frozenset((k.EQUAL, k.NE, k.LT, k.LE, k.GT, k.GE))


def _candidates(state: int) -> list[int]:
    return [kind for kind in range(_KINDS) if kind not in _HIDDEN and TABLE[state + kind]]


_SPELLED = {k.SETTLED.get(kind, kind): spelling for spelling, kind in k.SPELLINGS.items()}
_KINDS = min(k.NONTERMINALS.values())


def found(parse: Run, index: int) -> str:
    """A token, as the message names it."""
    kind, _, _, text = parse.tokens[index]
    if kind == k.END:
        return "the end of the declaration"
    if kind == k.RAW_SQL:
        return "SQL"
    if len(text) > 40:
        text = f"{text[:37]}..."
    return text if text[0] in "\"'" else f"`{text}`"
