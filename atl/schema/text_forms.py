"""Whether PostgreSQL reads a text as a value of a type.

Only what every PostgreSQL from 14 on certainly refuses is refused here: its readers of dates, intervals and addresses
take far more spellings than anybody lists, so whatever is not understood may be a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from typing import Any

from atl.schema.types import Type, integer_range

__all__ = ["fits_numeric", "may_be"]

# isspace() of the C locale.
_SPACE = " \t\n\v\f\r"


def may_be(type_: Type, text: str) -> bool:
    """Whether `text` may be a value of a builtin type, one dimension of array included; False is certain."""
    if type_.dims:
        return _array(type_, text)
    reader = _READERS.get(type_.base)
    return reader is None or reader(type_, text)


# ---------------------------------------------------------------- numbers, booleans, uuid

_INTEGER = re.compile(r"[+-]?[0-9]+")
# Since PostgreSQL 16; their range is not looked at.
_OTHER_BASE = re.compile(
    r"[+-]?(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?=[0-9.]+_)[0-9._]+(?:[eE][+-]?[0-9_]+)?)"
)
_DECIMAL = re.compile(r"([+-]?)([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](\s*[+-]?[0-9]+))?")
_HEX_FLOAT = re.compile(r"[+-]?0[xX][0-9a-fA-F.]+([pP][+-]?[0-9]+)?")
_FLOAT_WORD = re.compile(r"[+-]?(inf|infinity)|[+-]?nan(\([A-Za-z0-9_]*\))?", re.IGNORECASE)
_UUID = re.compile(r"(\{)?(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}(?(1)\})")
_BOOLEANS = frozenset(word[:n] for word in ("true", "false", "yes", "no") for n in range(1, len(word) + 1)) | {
    "on",
    "of",
    "off",
    "1",
    "0",
}


def _integer(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if _INTEGER.fullmatch(text) is None:
        return _OTHER_BASE.fullmatch(text) is not None
    digits = text.lstrip("+-").lstrip("0") or "0"
    span = integer_range(type_)
    assert span is not None
    return len(digits) < 20 and span[0] <= int("-" + digits if text[0] == "-" else digits) <= span[1]


def _float(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if _FLOAT_WORD.fullmatch(text) or _HEX_FLOAT.fullmatch(text):
        return True
    found = _DECIMAL.fullmatch(text)
    if found is None or (found[3] or "").strip() != (found[3] or ""):
        return False
    value = abs(float(text))
    # What rounds to infinity and what rounds to zero is out of range: from half a unit above FLT_MAX, and up to half
    # of the least single.
    least, limit = (7.006492321624085e-46, 3.4028235677973366e38) if type_.base == "real" else (0.0, inf)
    return not found[2].strip("0.") or least < value < limit


def _numeric(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if text.lower() == "nan" or _OTHER_BASE.fullmatch(text):
        return True
    found = _DECIMAL.fullmatch(text)
    if found is None:
        return False
    return fits_numeric(type_.params, found[2], int(found[3].strip()[:8]) if found[3] else 0)


def fits_numeric(params: tuple[int, ...], digits: str, exponent: int = 0) -> bool:
    """Whether `digits` * 10**exponent, rounded to the scale, is below 10**(precision - scale)."""
    precision, scale = params
    whole, _, fraction = digits.partition(".")
    significant = (whole + fraction).lstrip("0")
    if not significant:
        return True
    point = len(significant) - len(fraction) + exponent
    room = precision - scale
    if point != room:
        return point < room
    # As many digits as there is room for: only nines that round up are too large.
    kept = significant[:precision]
    return not (len(kept) == precision and set(kept) == {"9"} and significant[precision : precision + 1] >= "5")


def _boolean(type_: Type, text: str) -> bool:
    return text.strip(_SPACE).lower() in _BOOLEANS


def _uuid(type_: Type, text: str) -> bool:
    return _UUID.fullmatch(text) is not None


# ---------------------------------------------------------------- text, bytes, bits


def _characters(type_: Type, text: str) -> bool:
    """Blanks past the length are cut off, everything else past it is refused."""
    return not type_.params or not text[type_.params[0] :].strip(" ")


def _bytea(type_: Type, text: str) -> bool:
    if text.startswith("\\x"):
        pairs = text[2:].translate({ord(space): None for space in " \t\n\r"})
        whole = all(len(part) % 2 == 0 for part in text[2:].split())
        return whole and re.fullmatch("[0-9a-fA-F]*", pairs) is not None
    return re.fullmatch(r"(?s:[^\\]|\\\\|\\[0-3][0-7]{2})*", text) is not None


def _bits(type_: Type, text: str) -> bool:
    if text[:1] in ("x", "X"):
        digits, width = text[1:], 4
        alphabet = "0123456789abcdefABCDEF"
    else:
        digits, width = (text[1:] if text[:1] in ("b", "B") else text), 1
        alphabet = "01"
    if digits.strip(alphabet):
        return False
    length = len(digits) * width
    if type_.base == "bit":
        return length == type_.params[0]
    return not type_.params or length <= type_.params[0]


# ---------------------------------------------------------------- json


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _json(type_: Type, text: str) -> bool:
    import json

    def number(digits: str) -> int:
        return 0

    try:
        value = json.loads(
            text,
            parse_constant=_no_constant,
            parse_int=number,
            parse_float=number,
            object_pairs_hook=lambda pairs: [each for pair in pairs for each in pair],
        )
    except RecursionError:
        return True
    except ValueError:
        return False
    return type_.base == "json" or all(map(_is_text, _strings(value)))


def _strings(value: Any) -> list[str]:
    found: list[str] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, list):
            waiting.extend(each)
    return found


def _is_text(text: str) -> bool:
    """jsonb keeps its strings decoded: no NUL, no lone surrogate."""
    return (text.isascii() and "\0" not in text) or not re.search("[\0\ud800-\udfff]", text)


# ---------------------------------------------------------------- network addresses

_IPV4 = re.compile(r"(\d{1,5})\.(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:/(\d{1,3}))?", re.ASCII)
_ADDRESS = re.compile(r"[0-9a-fA-FxX.:]+(/[0-9]{1,4})?")


def _address(type_: Type, text: str) -> bool:
    if _ADDRESS.fullmatch(text) is None:
        return False
    found = _IPV4.fullmatch(text)
    if found is not None:
        octets = [int(part) for part in found.groups()[:4]]
        bits = 32 if found[5] is None else int(found[5])
        if max(octets) > 255 or bits > 32:
            return False
        number = octets[0] << 24 | octets[1] << 16 | octets[2] << 8 | octets[3]
        return type_.base == "inet" or number & ((1 << (32 - bits)) - 1) == 0
    host, slash, bits_text = text.partition("/")
    if ":" in host:
        groups = host.split(":")
        if ":::" in host or len(groups) > 9 or any(len(group) > 4 and "." not in group for group in groups):
            return False
        return not slash or int(bits_text) <= 128
    return type_.base == "cidr" or slash != "" or host.count(".") > 2


def _hardware(type_: Type, text: str) -> bool:
    """The shortest form has one digit for each of six bytes; behind the address macaddr8 takes about anything."""
    digits = len(re.sub(r"0[xX]|[^0-9a-fA-F]", "", text))
    return digits >= 6 and (type_.base == "macaddr8" or re.fullmatch(r"[0-9a-fA-FxX:.+\-\s]+", text) is not None)


# ---------------------------------------------------------------- the rest


def _range(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    return text.lower() == "empty" or (text[:1] in ("[", "(") and text[-1:] in ("]", ")") and "," in text)


def _geometric(type_: Type, text: str) -> bool:
    return re.search("[0-9]|inf|nan", text.lower()) is not None


def _money(type_: Type, text: str) -> bool:
    return re.search("[0-9]", text) is not None or not re.search("[A-Za-z]", text)


def _vector(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if text[:1] != "[" or text[-1:] != "]":
        return False
    single = Type("real")
    parts = text[1:-1].split(",")
    return len(parts) == type_.params[0] and all(
        _float(single, part) and not _FLOAT_WORD.fullmatch(part.strip(_SPACE)) for part in parts
    )


def _array(type_: Type, text: str) -> bool:
    text = re.sub(r"^(\[[0-9:+-]+\])+[ \t]*=", "", text.strip(_SPACE)).strip(_SPACE)
    if text[:1] != "{" or text[-1:] != "}":
        return False
    inner = text[1:-1]
    if re.search(r'["\\{}]', inner) or not inner.strip(_SPACE):
        return True
    element = type_._replace(dims=0)
    parts = [part.strip(_SPACE) for part in inner.split(",")]
    return all(part and (part.lower() == "null" or may_be(element, part)) for part in parts)


def _datetime(type_: Type, text: str) -> bool:
    from atl.schema.time_forms import datetime_may_be

    return datetime_may_be(type_, text)


def _interval(type_: Type, text: str) -> bool:
    from atl.schema.time_forms import interval_may_be

    return interval_may_be(type_, text)


_READERS: dict[str, Callable[[Type, str], bool]] = {
    **dict.fromkeys(("smallint", "int", "bigint"), _integer),
    **dict.fromkeys(("real", "double"), _float),
    "numeric": _numeric,
    "boolean": _boolean,
    "uuid": _uuid,
    **dict.fromkeys(("varchar", "char"), _characters),
    "bytea": _bytea,
    **dict.fromkeys(("bit", "varbit"), _bits),
    **dict.fromkeys(("json", "jsonb"), _json),
    **dict.fromkeys(("timestamptz", "timestamp", "date", "time", "timetz"), _datetime),
    "interval": _interval,
    **dict.fromkeys(("inet", "cidr"), _address),
    **dict.fromkeys(("macaddr", "macaddr8"), _hardware),
    **dict.fromkeys(("int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange"), _range),
    **dict.fromkeys(("point", "line", "lseg", "box", "path", "polygon", "circle"), _geometric),
    "money": _money,
    "vector": _vector,
}
