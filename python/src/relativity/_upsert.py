# SPDX-License-Identifier: Apache-2.0
"""The rows of a DataFrame as edits of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from ctypes import c_float
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from . import values
from .errors import EditRefused
from .records import Applied, Change, Field, Row, Table, Upserted

if TYPE_CHECKING:
    from .server import Server

Key: TypeAlias = tuple[Any, ...]

#: The limits of a request that finds rows by their keys: predicates may have 64 KiB, and servers have limits of their own.
_KEYS, _KEY_CHARACTERS = 200, 30_000


def upsert(server: Server, name: str, frame: Any, was: Any, dry_run: bool) -> Upserted:
    """What `Rows.upsert` does."""
    upsert = _Upsert(server, server._schema(name), frame, was)
    changes = upsert.changes()
    notes, failure = [], None
    if any(changes) and not any(change and change.outcome == "conflict" for change in changes):
        result = upsert.run(changes, dry_run)
        notes, failure = result.notes, result.failure
        changes = upsert.outcomes(changes, result)
    report = Upserted([each for each in changes if each], notes, failure, None, changes)
    return report if dry_run else report.check()


class _Upsert:
    """A table, and how its cells are compared. Rows have the values of `decode`, except that a float of a frame stays one:
    it has fewer digits than a Currency or Decimal can have, and only shows whether the field was changed."""

    def __init__(self, server: Server, table: Table, frame: Any, was: Any) -> None:
        if not table.key:
            raise ValueError(f"{table.name} has no key")
        self._server, self._table = server, table
        self._fields = {field.name: field for field in table.fields}
        self._rows = self._cells(frame, is_read=False)
        self._by_key(self._rows)
        #: The rows as the caller has read them, by their keys; None if that is now.
        self._before = None if was is None else self._by_key(self._cells(was, is_read=True))
        #: The present rows that may differ from the frame, by their keys.
        self._current: dict[Key, Row] = {}

    def changes(self) -> list[Change | None]:
        """The change that each row needs."""
        compared = [self._is_candidate(row) for row in self._rows]
        known = [row for row, is_needed in zip(self._rows, compared, strict=True) if is_needed and not self._is_new(row)]
        self._current = self._read([self._key(row) for row in known])
        return [
            self._change(position, row) if is_needed else None
            for position, (row, is_needed) in enumerate(zip(self._rows, compared, strict=True))
        ]

    def run(self, changes: Sequence[Change | None], dry_run: bool) -> Applied:
        """Makes the changes in one call. An error of an edit has the row of the frame."""
        edits = self._server.edit(self._table.name)
        made = [change for change in changes if change]
        for change in made:
            new = {name: self._exact(name, value) for name, value in (change.new or {}).items()}
            if change.action == "insert":
                edits.insert(new)
            else:
                edits.update(change.key, new, expected=self._expected(change))
        try:
            return Applied(edits.preview(), [], None, None) if dry_run else edits.apply()
        except EditRefused as error:
            error.edit = made[error.edit].row
            raise

    def outcomes(self, changes: Sequence[Change | None], result: Applied) -> list[Change | None]:
        """The made change of each row. The server's side may find that a value is the same, so that there is none."""
        # A new row has another key then; their numbers are in the order of the edits.
        inserts = iter(sorted((each for each in result.changes if each.action == "insert"), key=lambda each: each.row))
        updates = {self._found(each): each for each in result.changes if each.action != "insert"}
        return [
            change and (next(inserts) if change.action == "insert" else updates.get(self._found(change)))
            for change in changes
        ]

    def _cells(self, frame: Any, *, is_read: bool) -> list[Row]:
        """The rows of a frame. Raises ValueError or TypeError for what cannot be a row of the table. If it was read, other
        columns are left out, such as those of calculated fields."""
        result: list[Row] = []
        spelling = {name.lower(): name for name in self._fields}
        for position, record in enumerate(_records(frame, self._table.key)):
            if not isinstance(record, Mapping):
                raise TypeError(f"row {position} is a {type(record).__name__}, and not a mapping")
            row: Row = {}
            for column, value in record.items():
                name = spelling.get(str(column).lower())
                if name is None:
                    if is_read:
                        continue
                    raise ValueError(f"{self._table.name} has no field {column!r}: drop the column")
                if name in row:
                    raise ValueError(f"two columns are {name}")
                row[name] = self._cell(position, self._fields[name], value)
            if missing := [name for name in self._table.key if name not in row]:
                raise ValueError(f"row {position} lacks the key: {', '.join(missing)}")
            result.append(row)
        return result

    def _by_key(self, rows: Sequence[Row]) -> dict[Key, Row]:
        """The rows that have a key. Raises ValueError if two have the same."""
        found: dict[Key, Row] = {}
        for position, row in enumerate(rows):
            if self._is_new(row):
                continue
            if (key := self._key(row)) in found:
                raise ValueError(f"row {position} has the key of another one: {', '.join(map(str, key))}")
            found[key] = row
        return found

    def _cell(self, position: int, field: Field, value: Any) -> Any:
        try:
            cell = values.cell(value, field.type)
        except (ValueError, TypeError) as error:
            raise type(error)(f"row {position}, {self._table.name}.{field.name}: {error}") from None
        if cell is None and field.key and not _is_automatic(field):
            raise ValueError(f"row {position}: the key {field.name} is NULL")
        if cell is None and field.required and not _is_automatic(field):
            raise ValueError(f"row {position}: {field.name} cannot be NULL")
        return self._exact(field.name, cell) if field.key else cell

    def _key(self, row: Row) -> Key:
        return tuple(row[name] for name in self._table.key)

    def _is_new(self, row: Row) -> bool:
        """Whether the server is to make the key."""
        return None in self._key(row)

    def _is_candidate(self, row: Row) -> bool:
        """Whether the row may need a change, as far as is known without the present one."""
        old = (self._before or {}).get(self._key(row))
        return old is None or any(name not in old or not self._same(name, row[name], old[name]) for name in row)

    def _change(self, position: int, row: Row) -> Change | None:
        key = {name: row[name] for name in self._table.key if row[name] is not None}
        now = self._current.get(self._key(row))
        read = now if self._before is None else self._before.get(self._key(row))
        base: Row | None = None
        theirs: Row | None = None
        conflict = None
        if now is None and read is None:
            old, new = None, {name: value for name, value in row.items() if name not in self._table.key or name in key}
        else:
            known = {**(now or {}), **(read or {})}
            new = {name: value for name, value in row.items() if not self._same(name, value, known.get(name))}
            old = {name: known.get(name) for name in new}
            if now and all(self._same(name, value, now[name]) for name, value in new.items()):
                return None
            if now is None:
                conflict, base = "missing", read
            elif read is None:
                conflict, old, theirs = "keyTaken", None, now
            elif other := [name for name in read if not self._same(name, read[name], now[name])]:
                conflict, base, theirs = "changed", {name: read[name] for name in other}, {name: now[name] for name in other}
        return Change(
            self._table.name, position, "update" if read else "insert", "conflict" if conflict else "pending",
            key, old, new, None, conflict, base, theirs,
        )

    def _expected(self, change: Change) -> Row:
        """The values that were compared. A Blob that stays is left out: it may be large."""
        now = self._current[tuple(change.key.values())]
        names = dict.fromkeys([*(change.new or {}), *(self._before or {}).get(tuple(change.key.values()), {})])
        return {name: now[name] for name in names if name in (change.new or {}) or not isinstance(now[name], bytes)}

    def _read(self, keys: Sequence[Key]) -> dict[Key, Row]:
        """The present rows with these keys, and all fields that the frames have."""
        names = {name for rows in (self._rows, (self._before or {}).values()) for row in rows for name in row}
        exact = copy(self._server)
        exact._decimal = Decimal
        found: dict[Key, Row] = {}
        for where in _conditions(self._table.key, keys):
            for row in exact.table(self._table.name, where=where, fields=[name for name in self._fields if name in names]):
                found[self._key(row)] = row
        return found

    def _same(self, name: str, one: Any, other: Any) -> bool:
        if one is None or other is None:
            return one is other
        if self._fields[name].type == "SingleFloat" and isinstance(one, float) and isinstance(other, float):
            return c_float(one).value == c_float(other).value
        if isinstance(one, Decimal) and isinstance(other, float):
            return float(one) == other
        if isinstance(one, float) and isinstance(other, Decimal):
            return one == float(other)
        return cast(bool, one == other)

    def _exact(self, name: str, value: Any) -> Any:
        return Decimal(repr(value)) if isinstance(value, float) and values.is_exact(self._fields[name].type) else value

    def _found(self, change: Change) -> Key:
        """The key of a change, whose decimals may be floats."""
        return tuple(float(value) if isinstance(value, Decimal) else value for value in self._key(change.key))


def _is_automatic(field: Field) -> bool:
    return field.type in ("AutoInc", "LargeAutoInc")


def _records(frame: Any, key: Sequence[str]) -> Iterable[Mapping[Any, Any]]:
    """The rows of a DataFrame of pandas or Polars, of Arrow data, or an iterable of rows."""
    if hasattr(frame, "to_dicts"):
        return cast(Iterable[Mapping[Any, Any]], frame.to_dicts())
    if hasattr(frame, "reset_index") and hasattr(frame, "to_dict"):
        # The key may be the index.
        names = {str(name).lower() for name in frame.index.names if name is not None}
        if names & {name.lower() for name in key}:
            frame = frame.reset_index()
        if not frame.columns.is_unique:
            raise ValueError("two columns have the same name")
        return cast(Iterable[Mapping[Any, Any]], frame.to_dict("records"))
    # Rows of this package need no PyArrow.
    if hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "arrow_messages"):
        import pyarrow

        frame = pyarrow.table(frame)
    return cast(Iterable[Mapping[Any, Any]], frame.to_pylist() if hasattr(frame, "to_pylist") else frame)


def _conditions(names: Sequence[str], keys: Iterable[Key]) -> Iterator[str]:
    """Predicates that find rows by their keys, each so many that a server takes them."""
    fields = [f"[{name.replace(']', ']]')}]" for name in names]
    parts: list[str] = []
    size = 0
    for key in keys:
        literals = [values.quote(value) for value in key]
        pairs = zip(fields, literals, strict=True)
        part = literals[0] if len(names) == 1 else f"({' AND '.join(f'{field} == {each}' for field, each in pairs)})"
        if parts and (len(parts) == _KEYS or size + len(part) > _KEY_CHARACTERS):
            yield _condition(fields, parts)
            parts, size = [], 0
        parts.append(part)
        size += len(part) + 4
    if parts:
        yield _condition(fields, parts)


def _condition(fields: Sequence[str], parts: Sequence[str]) -> str:
    return f"{fields[0]} IN ({', '.join(parts)})" if len(fields) == 1 else " OR ".join(parts)
