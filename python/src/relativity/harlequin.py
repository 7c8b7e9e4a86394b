# SPDX-License-Identifier: Apache-2.0
"""The adapter of Harlequin, a SQL IDE for terminals: `harlequin -a relativity office`, and `hsql` for scripts.

A statement runs at its server if that takes DA SQL, otherwise here, on the tables that it names. With several servers or
schemas, `use branch` chooses where the next ones run. Harlequin prints names, cells and errors as they are, so what could
act on a terminal is escaped here, also in exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any
from unicodedata import category

from harlequin.adapter import HarlequinAdapter, HarlequinConnection, HarlequinCursor
from harlequin.catalog import Catalog, InteractiveCatalogItem
from harlequin.exception import HarlequinConnectionError, HarlequinError, HarlequinQueryError
from harlequin.options import FlagOption, ListOption

import relativity

if TYPE_CHECKING:
    import pyarrow

#: A server, or a server and one of its schemas.
_Place = tuple[str, ...]


#: What Harlequin shows of a type, by its names in the API and in Arrow.
_LABELS = {
    "Boolean|bool": "t/f",
    "Byte|Word|Cardinal|Integer|.*Int|.*AutoInc|u?int[0-9]+": "##",
    "Float|SingleFloat|Currency|Decimal|float|double|decimal.*": "#.#",
    "DateTime|timestamp.*": "ts",
    "Blob|Cursor|large_binary": "0b",
}
_UNSAFE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
#: A cell that may have one of them.
_SUSPECT = r"[^\P{C}\n\t]|\p{Zl}|\p{Zp}"


class RelativityAdapter(HarlequinAdapter):
    """The servers that are named, such as `office` or `jane@branch`; without a name all of the daemon's list."""

    ADAPTER_OPTIONS = [
        ListOption("schema", "A schema of the servers: the data service DataService.SCHEMA. May be repeated."),
        FlagOption("anonymous", "Use no login, for servers that need none."),
    ]
    ADAPTER_DETAILS = "Reads tables of Relativity servers through relativityd, which holds the logins."
    IMPLEMENTS_CANCEL = True

    def __init__(
        self,
        conn_str: Sequence[str] = (),
        read_only: bool = False,
        schema: Sequence[str] | None = None,
        anonymous: bool = False,
        **_: Any,
    ) -> None:
        self._names, self._schemas, self._anonymous = list(conn_str), list(schema or []), bool(anonymous)

    def connect(self) -> RelativityConnection:
        with _errors(HarlequinConnectionError):
            return RelativityConnection(self._names, self._schemas, self._anonymous)


class RelativityConnection(HarlequinConnection):
    """Opens each place when it is used first."""

    def __init__(self, names: Sequence[str], schemas: Sequence[str], anonymous: bool) -> None:
        super().__init__()
        found = list(names) or _listed()
        below: list[_Place] = [(each,) for each in schemas] or [()]
        self._places: list[_Place] = [(name, *schema) for name in found for schema in below]
        self._anonymous = anonymous
        self._opened: dict[_Place, relativity.Server] = {}
        self._lock = Lock()
        self._place = self._places[0] if names or len(self._places) == 1 else None
        if names:
            self._server(self._places[0])

    def execute(self, query: str) -> RelativityCursor | None:
        if use := re.fullmatch(r"use\s+(.+?)[\s;]*", query.strip(), re.IGNORECASE | re.DOTALL):
            self._place = self._named(use[1])
            return None
        if self._place is None:
            raise HarlequinQueryError("no server is chosen: use SERVER, with one of the catalog", title="No server.")
        with _errors(HarlequinQueryError):
            return RelativityCursor(self._server(self._place).sql(query.strip().rstrip(";")).to_arrow_reader())

    def cancel(self) -> None:
        """Ends the running reads. The next statement connects again."""
        self.close()

    def close(self) -> None:
        with self._lock:
            opened = [*self._opened.values()]
            self._opened.clear()
        for server in opened:
            server.close()

    def get_catalog(self) -> Catalog:
        items = [_Item.of([place[0]], "server", "srv", self._below(place)) for place in self._places]
        return Catalog([*{item.qualified_identifier: item for item in items}.values()])

    def _below(self, place: _Place) -> Callable[[], list[_Item]]:
        """What is below a server: its schemas, if some are named, otherwise its tables."""
        if len(place) == 1:
            return lambda: self._tables(place)
        below = [each for each in self._places if each[0] == place[0]]
        return lambda: [_Item.of(each, "schema", "sch", partial(self._tables, each)) for each in below]

    def _tables(self, place: _Place) -> list[_Item]:
        server = self._server(place)
        return [_Item.of([*place, each], "table", "t", partial(self._fields, place, each)) for each in server.tables()]

    def _fields(self, place: _Place, table: str) -> list[_Item]:
        fields = self._server(place).schema(table).fields
        return [_Item.of([*place, table, each.name], each.type, _label(each.type)) for each in fields]

    def _server(self, place: _Place) -> relativity.Server:
        with self._lock:
            if place not in self._opened:
                name, *schema = place
                self._opened[place] = relativity.open(name, schema=next(iter(schema), None), anonymous=self._anonymous)
            return self._opened[place]

    def _named(self, words: str) -> _Place:
        """The place that `use` names, with quotes or without."""
        found = [place for place in self._places if words.lower() in (_path(place).lower(), ".".join(place).lower())]
        if len(found) != 1:
            known = ", ".join(_path(place) for place in self._places)
            raise HarlequinQueryError(f"{_safe(words)} is none of the servers: {known}", title="There is no such server.")
        return found[0]


class RelativityCursor(HarlequinCursor):
    """The rows of a statement. They are received when they are fetched."""

    def __init__(self, reader: pyarrow.RecordBatchReader) -> None:
        self._reader = reader
        self._limit: int | None = None

    def columns(self) -> list[tuple[str, str]]:
        return [(_safe(field.name), _label(str(field.type))) for field in self._reader.schema]

    def set_limit(self, limit: int) -> RelativityCursor:
        self._limit = limit
        return self

    def fetchall(self) -> pyarrow.Table:
        import pyarrow

        batches: list[pyarrow.RecordBatch] = []
        left = self._limit
        with _errors(HarlequinQueryError), self._reader as reader:
            while left is None or left > 0:
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    break
                batches.append(batch.slice(0, left))
                left = None if left is None else left - len(batches[-1])
            table = pyarrow.Table.from_batches(batches, reader.schema)
        names = [name for name, _ in self.columns()]
        return pyarrow.Table.from_arrays([_safe_column(each) for each in table.columns], names=names)


@dataclass
class _Item(InteractiveCatalogItem[RelativityConnection]):
    """An entry of the catalog. `find` reads its children when it is opened."""

    find: Callable[[], list[_Item]] | None = None

    @classmethod
    def of(cls, path: Sequence[str], kind: str, label: str, find: Callable[[], list[_Item]] | None = None) -> _Item:
        name = path[-1]
        return cls(_path(path), _path([name]), _safe(name), label, type_name=_safe(kind), loaded=not find, find=find)

    def fetch_children(self) -> list[_Item]:
        with _errors(HarlequinQueryError):
            return self.find() if self.find else []


def _listed() -> list[str]:
    """All servers: by name, or by ID where several have one name."""
    known = relativity.servers()
    names = [each.name.lower() for each in known]
    return [each.name if names.count(each.name.lower()) == 1 else each.id for each in known]


def _path(names: Sequence[str]) -> str:
    return ".".join(f'"{_safe(name)}"' for name in names)


def _label(type_name: str) -> str:
    return next((label for names, label in _LABELS.items() if re.fullmatch(names, type_name)), "s")


def _safe(text: str, kept: str = "") -> str:
    return "".join(f"\\u{{{ord(each):x}}}" if category(each) in _UNSAFE and each not in kept else each for each in text)


def _safe_column(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    import pyarrow
    import pyarrow.compute

    if not pyarrow.types.is_large_string(column.type):
        return column
    if not pyarrow.compute.any(pyarrow.compute.match_substring_regex(column, _SUSPECT)).as_py():
        return column
    cells = [text if text is None else _safe(text.replace("\r\n", "\n"), "\n\t") for text in column.to_pylist()]
    return pyarrow.chunked_array([cells], column.type)


@contextmanager
def _errors(kind: type[HarlequinError]) -> Iterator[None]:
    try:
        yield
    except relativity.RelativityError as error:
        raise kind(_safe(str(error), "\n"), title="Reading the tables failed:") from error
