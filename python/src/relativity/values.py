# SPDX-License-Identifier: Apache-2.0
"""The values of fields in Python, and their forms in the API (docs/local-api.md).

| type | Python |
|---|---|
| NULL | None |
| Boolean | bool |
| integers | int |
| Float, SingleFloat | float |
| Currency, Decimal | decimal.Decimal, or float on request |
| DateTime | datetime.datetime without a zone, to the millisecond |
| Guid | uuid.UUID |
| Blob, Cursor | bytes |
| others | str |

An edit takes these types, and for a field of text also int and UUID. A Blob takes bytes only, which are for no other field,
and a field of text has no form of a float, a Decimal, a bool or a date: write the text itself.

A value that does not fit, such as a Guid that is none or a DateTime before 1899-12-30 with a time, stays as the API has
it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral
from typing import Any, TypeAlias
from uuid import UUID

#: The type of the values of Currency and Decimal.
Exact: TypeAlias = type[Decimal] | type[float]
Value: TypeAlias = None | bool | int | float | str | bytes | datetime | Decimal | UUID

_LARGE = ("LargeInt", "LargeAutoInc", "LargeUInt")
_INTEGERS = ("AutoInc", "Byte", "Cardinal", "Integer", "ShortInt", "SmallInt", "Word", *_LARGE)
_TEXTS = ("FixedChar", "FixedWideChar", "Memo", "String", "WideMemo", "WideString", "Xml")

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_INTEGERS, int),
    **dict.fromkeys(("Float", "SingleFloat"), float),
    **dict.fromkeys(("Currency", "Decimal"), Decimal),
    **dict.fromkeys(("Blob", "Cursor"), base64.b64decode),
    "Boolean": lambda value: {"true": True, "false": False}.get(value, value),
    "DateTime": datetime.fromisoformat,
    "Guid": UUID,
}

#: The types of the columns of a DataFrame, and of all of their values; the other columns have objects.
_PANDAS: dict[str, tuple[str, type]] = {
    **dict.fromkeys(_INTEGERS, ("Int64", int)),
    **dict.fromkeys(("Float", "SingleFloat"), ("Float64", float)),
    **dict.fromkeys(_TEXTS, ("string", str)),
    "Boolean": ("boolean", bool),
    "DateTime": ("datetime64[us]", datetime),
    "LargeUInt": ("UInt64", int),
}


def decode(value: Any, type_name: str | None, decimal: Exact = Decimal) -> Any:
    """The Python value of a value in JSON. It is never an error: the outcome of an edit must not be lost by it."""
    convert = _CONVERSIONS.get(type_name or "")
    if value is None or convert is None:
        return value
    if convert is Decimal:
        convert = decimal
    try:
        return convert(value)
    except (ValueError, TypeError, ArithmeticError, AttributeError):
        return value


def decode_row(row: list[Any], converted: Sequence[tuple[int, str]], decimal: Exact = Decimal) -> list[Any]:
    """Decodes the columns of a row that have one of the types of `converted_columns`, in place."""
    for index, type_name in converted:
        if row[index] is not None:
            row[index] = decode(row[index], type_name, decimal)
    return row


def converted_columns(types: Sequence[str]) -> list[tuple[int, str]]:
    """The columns whose values are not what JSON has."""
    same = {"Boolean", *_INTEGERS} - set(_LARGE)
    return [(index, each) for index, each in enumerate(types) if each in _CONVERSIONS and each not in same]


def pandas_type(column: Sequence[Any], type_name: str, decimal: Exact = Decimal) -> str:
    """The type of a column of a DataFrame. pandas would convert a value that does not fit, such as a DateTime that is a
    number, and not refuse it."""
    if decimal is float and _CONVERSIONS.get(type_name) is Decimal:
        type_name = "Float"
    pandas, python = _PANDAS.get(type_name, ("object", object))
    return pandas if all(value is None or type(value) is python for value in column) else "object"


def encode(value: Any) -> str | bool | None:
    """The form of a value in an edit. A number is text, which has all of its digits.

    Raises ValueError for a value that no field can have, such as NaN, and TypeError for an unknown type.
    """
    if value is None or isinstance(value, bool | str):
        return value
    # NaN, and the NaT of pandas, differ from themselves.
    if isinstance(value, float | Decimal | datetime) and value != value:
        raise ValueError(f"{value} is no value: NULL is None")
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, float | Decimal):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no value of a field")
        return format(value, "f") if isinstance(value, Decimal) else repr(float(value))
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            raise ValueError(f"{value} has a zone, and a DateTime has none")
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, date):
        return f"{value.isoformat()}T00:00:00"
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"a field cannot have a {type(value).__name__}")


def require(kind: type, type_name: str) -> None:
    """Raises TypeError if a field cannot have values of a class, which `encode` would turn into another text."""
    is_bytes = issubclass(kind, bytes | bytearray | memoryview)
    if type_name in ("Blob", "Cursor"):
        is_valid = is_bytes or kind is type(None)
    elif is_bytes:
        is_valid = type_name not in _CONVERSIONS and type_name not in _TEXTS
    else:
        is_text = issubclass(kind, str | UUID | type(None)) or issubclass(kind, Integral) and not issubclass(kind, bool)
        is_valid = type_name not in _TEXTS or is_text
    if not is_valid:
        raise TypeError(f"a {type_name} cannot have a {kind.__name__}")


def cell(value: Any, type_name: str) -> Any:
    """The value of a cell of a DataFrame as `decode` has it: None for NaN, NaT and NA, and a whole float is an integer in a
    field of integers. A float of a Currency or Decimal stays one. Raises the errors of `encode`."""
    # NaN and NaT differ from themselves, and NA cannot be compared.
    try:
        is_null = value is None or not isinstance(value, list | tuple) and bool(value != value)
    except TypeError:
        is_null = True
    if is_null:
        return None
    require(type(value), type_name)
    if isinstance(value, float):
        encode(value)
        if type_name not in _INTEGERS:
            return float(value)
        if not value.is_integer():
            raise ValueError(f"{value} is no integer")
        return int(value)
    found = decode(encode(value), type_name)
    if isinstance(found, datetime) and found.tzinfo is not None:
        raise ValueError(f"{value} has a zone, and a DateTime has none")
    return found


def is_exact(type_name: str) -> bool:
    """Whether the values are Decimal."""
    return _CONVERSIONS.get(type_name) is Decimal


def encode_all(values: Mapping[str, Any]) -> dict[str, str | bool | None]:
    return {name: encode(value) for name, value in values.items()}


def parameters(values: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The parameters of a statement or a command, with the types of the Python values."""
    result = []
    for name, value in (values or {}).items():
        text = encode(value)
        parameter = {"name": name, "type": _parameter_type(value)}
        if text is not None:
            parameter["value"] = str(text).lower() if isinstance(text, bool) else text
        result.append(parameter)
    return result


def _parameter_type(value: Any) -> str:
    if isinstance(value, bool):
        return "Boolean"
    if isinstance(value, Integral):
        return "Integer" if -(2**31) <= int(value) < 2**31 else "LargeInt"
    types = [(float, "Float"), (Decimal, "Decimal"), (date, "DateTime"), (UUID, "Guid")]
    types += [(bytes, "Blob"), (bytearray, "Blob"), (memoryview, "Blob")]
    return next((name for each, name in types if isinstance(value, each)), "WideString")


def quote(value: Any) -> str:
    """A value as a literal of a predicate: `where=f"Name == {quote(name)}"`. A predicate has no parameters."""
    text = encode(value)
    if text is None or isinstance(text, bool):
        return "NULL" if text is None else str(text).upper()
    if isinstance(value, bytes | bytearray | memoryview):
        raise TypeError("a predicate cannot have a Blob")
    if isinstance(value, str | UUID):
        return "'" + text.replace("'", "''") + "'"
    return text
