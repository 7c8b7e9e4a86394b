# SPDX-License-Identifier: Apache-2.0
"""Calls of a server's services, for the modules that `relctl services --code python` writes.

A struct is a dataclass, an enum an Enum, an array a list. Other values have the types of `relativity.values`: Integer and
Int64 are int, Double is float, Currency and Decimal are Decimal, DateTime is datetime, Guid is UUID and Binary is bytes. A
value that does not fit stays as the API has it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from . import values

if TYPE_CHECKING:
    from .server import Server

#: For each dataclass the name of the class of the server, and for each field its name here and there, and its type.
Structs: TypeAlias = Mapping[type, tuple[str, Sequence[tuple[str, str, Any]]]]

_CLASS = "__type"
_CONVERSIONS: dict[Any, Callable[[Any], Any]] = {
    bool: lambda value: value,
    bytes: base64.b64decode,
    datetime: datetime.fromisoformat,
}


class Service:
    """A service of a server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def _call(
        self,
        structs: Structs,
        rodl: str | None,
        service: str,
        method: str,
        parameters: Mapping[str, Any],
        results: Sequence[tuple[str, Any]],
    ) -> list[Any]:
        sent = {name: encode(value, structs) for name, value in parameters.items()}
        found = self._server.call(service, method, sent, rodl=rodl)
        return [_decode(found.get(name), kind, structs) for name, kind in results]


def encode(value: Any, structs: Structs | None = None) -> Any:
    """The form of a value in a call. Raises TypeError for an unknown type, and ValueError for NaN and infinity."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        values.encode(value)
        return value
    if isinstance(value, list | tuple):
        return [encode(each, structs) for each in value]
    if isinstance(value, Mapping):
        return {name: encode(each, structs) for name, each in value.items()}
    if structs and type(value) in structs:
        name, fields = structs[type(value)]
        return {_CLASS: name, **{there: encode(getattr(value, here), structs) for here, there, _ in fields}}
    return values.encode(value)


def _decode(value: Any, kind: Any, structs: Structs) -> Any:
    if value is None or kind is None:
        return value
    if isinstance(kind, list):
        return [_decode(each, kind[0], structs) for each in value] if isinstance(value, list) else value
    if kind in structs:
        if not isinstance(value, dict):
            return value
        # A descendant names its own class.
        kind = next((each for each, (name, _) in structs.items() if name == value.get(_CLASS)), kind)
        return kind(*(_decode(value.get(there), each, structs) for _, there, each in structs[kind][1]))
    try:
        return _CONVERSIONS.get(kind, kind)(value)
    except (ValueError, TypeError, ArithmeticError, AttributeError):
        return value
