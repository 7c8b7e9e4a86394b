# SPDX-License-Identifier: Apache-2.0
"""A server, its tables, and edits."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from decimal import Decimal
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, cast
from uuid import uuid4
from warnings import warn

from . import _arrow, _varlink, services, values
from ._html import SHOWN_ROWS, html_table
from ._upsert import upsert
from .errors import EditRefused, EndpointUnreachable, OtherDatabase, RelativityError, RequestTooLong
from .records import (
    Applied, ApplyFailure, ApplyNote, Change, Command, CommandResult, Event, Field, Note, PendingInfo, Row, Table,
    Upserted, Verdict, record,
)

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Server:
    """A server, from `relativity.open`. Use it in `with`, or call `close`. Each read that runs at the same time has a
    connection of its own."""

    def __init__(self, server: Mapping[str, Any], decimal: values.Exact = Decimal) -> None:
        if decimal not in (Decimal, float):
            raise ValueError("decimal is Decimal or float")
        self._server = {name: value for name, value in server.items() if value is not None}
        self._decimal = decimal
        self._place: Mapping[str, Any] = {}
        self._pool = _varlink.Pool(_varlink.data_socket())
        self._schemas: dict[str, Table] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        name = self._place.get("endpointName") or self._server.get("endpoint") or self._server.get("login")
        service = self._place.get("service")
        return f"<Server {name!a}" + (f", service {service!a}>" if service else ">")

    def close(self) -> None:
        """Closes the connections, and so the adapters. Calls that still run are cancelled."""
        self._pool.close()

    def tables(self) -> list[str]:
        """The names of the tables."""
        names: list[str] = self._call("ListTables")["tables"]
        return names

    def schema(self, table: str) -> Table:
        """The fields of a table."""
        (found,) = self._call("GetSchema", table=table)["tables"]
        return Table(found["name"], [record(Field, field) for field in found["fields"]])

    def table(
        self,
        table: str,
        *,
        where: str | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        lookups: Sequence[Mapping[str, Any]] | None = None,
        calculated: Mapping[str, str] | None = None,
        references: Sequence[Mapping[str, Any]] | None = None,
    ) -> Rows:
        """The rows of a table. `where` is a predicate; `relativity.quote` makes literals for it. A minus before a name
        in `sort` sorts in descending order. `calculated` has expressions by the names of new fields. `lookups` and
        `references` have the form of the API."""
        expressions = [{"name": name, "expression": each} for name, each in (calculated or {}).items()]
        return Rows(
            self,
            "Read",
            table=table,
            where=where,
            fields=_names(fields),
            order=_names(sort),
            limit=limit,
            parameters=values.parameters(parameters) or None,
            lookups=lookups,
            calculated=expressions or None,
            references=references,
        )

    def read_tables(self, tables: str | Sequence[str]) -> dict[str, list[Row]]:
        """All rows of several tables, by their names. They are read with one request, which servers answer in one
        transaction."""
        result: dict[str, list[Row]] = {}
        rows: list[Row] = []
        names: list[str] = []
        converted: list[tuple[int, str]] = []
        parameters = self._parameters({"tables": _names(tables), "numbersAsText": True})
        with self._pool.connection() as connection:
            for reply in connection.stream("org.relativityd.Data.ReadTables", parameters):
                if "fields" in reply:
                    names = [field["name"] for field in reply["fields"]]
                    converted = values.converted_columns([field["type"] for field in reply["fields"]])
                    # A table that is named twice is also sent twice.
                    rows = result[reply["table"]] = []
                for row in reply.get("rows") or []:
                    rows.append(dict(zip(names, values.decode_row(row, converted, self._decimal), strict=True)))
                _notes(reply)
        return result

    def sql(self, statement: str, parameters: Mapping[str, Any] | None = None, *, limit: int | None = None) -> Rows:
        """The rows of a query in DA SQL. Its parameters are written as :name."""
        return Rows(self, "Query", sql=statement, parameters=values.parameters(parameters) or None, limit=limit)

    def count(self, table: str, *, where: str | None = None) -> int:
        """The number of rows."""
        reply = self._call("Count", table=table, where=where)
        _notes(reply)
        return int(reply["count"])

    def watch(
        self,
        table: str,
        *,
        every: int = 60,
        where: str | None = None,
        fields: str | Sequence[str] | None = None,
        key: str | Sequence[str] | None = None,
        states: bool = False,
    ) -> Generator[Event, None, None]:
        """The changes of a table from now on, found by reading it every so many seconds. Returns after the first
        reading, so that rows that are read after it miss no change. The iterator waits for changes until it is
        closed, also while the server cannot be reached. With `states` there are also events without a row: ready,
        busy, tablesChanged, offline and online."""
        more = {"everySeconds": every, "where": where, "fields": _names(fields), "key": _names(key)}
        events = self._events(self._parameters({"table": table, **more, "numbersAsText": True}), states)
        next(events)
        return events

    def commands(self) -> list[Command]:
        """The commands of the server."""
        return [record(Command, each) for each in self._call("ListCommands")["commands"]]

    def command(self, name: str, parameters: Mapping[str, Any] | None = None) -> CommandResult:
        """Runs a command, which may change data. After Disconnected it is unknown whether it ran."""
        reply = self._call("RunCommand", command=name, parameters=values.parameters(parameters))
        outputs = {each["name"]: self._decode(each.get("value"), each.get("type")) for each in reply["parameters"]}
        return CommandResult(reply["affected"], outputs)

    def call(
        self, service: str, method: str, parameters: Mapping[str, Any] | None = None, *, rodl: str | None = None
    ) -> dict[str, Any]:
        """Calls a method of a service, which may change data, with all of its parameters. Returns its results in the forms
        of the API; modules of `relctl services --code python` convert them. `rodl` is a description with the types, if
        the server does not give its own. After Disconnected it is unknown whether the call was made."""
        sent = services.encode(parameters or {})
        results: dict[str, Any] = self._call("Call", service=service, method=method, parameters=sent, rodl=rodl)["results"]
        return results

    def edit(
        self,
        table: str | None = None,
        *,
        pending: str | PendingSet | None = None,
        force: bool = False,
        limit: int | None = None,
        references: Sequence[Mapping[str, Any]] | None = None,
    ) -> Edits:
        """Edits of a table, or of several. At the end of `with` they are applied in one call, or with `pending` added
        to this pending set: a name makes a new one. `force` overwrites rows that others have changed. `limit` is the
        maximum number of rows that one edit may change."""
        return Edits(self, table, pending, force=force, limit=limit, references=references)

    def pending(self, name: str) -> PendingSet:
        """A pending set, as it is now."""
        return PendingSet(self, name)

    def pending_sets(self) -> list[PendingInfo]:
        """The pending sets of the user, for all servers."""
        return [record(PendingInfo, each) for each in self._call("ListPending", server=None)["sets"]]

    def _open(self) -> None:
        """Finds out whether there is the server, and a login for it."""
        with suppress(EndpointUnreachable):
            self._place = self._call("Open")

    def _parameters(self, more: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in {"server": self._server, **more}.items() if value is not None}

    def _events(self, parameters: Mapping[str, Any], states: bool) -> Generator[Event, None, None]:
        columns: list[Field] = []
        key: list[Field] = []
        with self._pool.connection() as connection:
            for reply in connection.stream("org.relativityd.Data.Watch", parameters):
                if "fields" in reply:
                    columns = [record(Field, each) for each in reply["fields"]]
                    named = {field.name.lower(): field for field in columns}
                    key = [field for field in columns if field.key]
                    if "key" in parameters:
                        key = [named[name.lower()] for name in parameters["key"]]
                    # The first one only says that the first reading is over.
                    yield Event("", {})
                if states and reply.get("state"):
                    yield Event(reply["state"], {})
                for row in reply.get("rows") or []:
                    pairs = zip(key if reply["change"] == "removed" else columns, row, strict=True)
                    data = {field.name: self._decode(value, field.type) for field, value in pairs}
                    yield Event(reply["change"], data)

    def _call(self, method: str, /, **parameters: Any) -> dict[str, Any]:
        with self._pool.connection() as connection:
            return connection.call(f"org.relativityd.Data.{method}", self._parameters(parameters))

    def _schema(self, table: str) -> Table:
        known = self._schemas.get(table.lower())
        return known or self._schemas.setdefault(table.lower(), self.schema(table))

    def _change(self, data: Mapping[str, Any]) -> Change:
        rows = {name: self._row(data["table"], data.get(name)) for name in ("key", "old", "new", "base", "theirs")}
        return record(Change, data, **rows)

    def _row(self, table: str, row: Row | None) -> Row | None:
        known = self._schemas.get(table.lower())
        types = {field.name: field.type for field in known.fields} if known else {}
        return row and {name: self._decode(value, types.get(name)) for name, value in row.items()}

    def _decode(self, value: Any, type_name: str | None) -> Any:
        return values.decode(value, type_name, self._decimal)

    def _applied(self, reply: Mapping[str, Any]) -> Applied:
        return Applied(
            [self._change(each) for each in reply["changes"]],
            [record(ApplyNote, each) for each in reply["notes"]],
            record(ApplyFailure, reply["failure"]) if reply.get("failure") else None,
            reply.get("revision"),
        )


def _require(table: Table, kinds: Mapping[str, type]) -> None:
    """Raises TypeError if a field cannot have values of its class. A name that is unknown is refused by the service."""
    types = {field.name.lower(): field for field in table.fields}
    for name, kind in kinds.items():
        if field := types.get(name.lower()):
            try:
                values.require(kind, field.type)
            except TypeError as error:
                raise TypeError(f"{table.name}.{field.name}: {error}") from None


def _notes(reply: Mapping[str, Any]) -> list[Note]:
    """The notes of a reply. Warns of rows from another database."""
    notes = [record(Note, each) for each in reply.get("notes") or []]
    if any(note.reason == "otherDatabase" for note in notes):
        text = "an alternate address was read, which is not agreed to have the same database: see relctl doctor"
        warn(text, OtherDatabase, stacklevel=3)
    return notes


def _names(names: str | Sequence[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else list(names)


class Rows:
    """Rows of a table or of a query. Each iteration reads them again, one batch at a time, and yields a dict for each
    row. An iteration that ends early cancels its read. It may pause for any time, except in rows of more than 2 MiB:
    there it is disconnected after 30 seconds."""

    #: The columns, after the beginning of an iteration.
    fields: list[Field]
    #: The steps that were done by relativityd and not by the server, after the end of an iteration.
    notes: list[Note]

    def __init__(self, server: Server, method: str, **parameters: Any) -> None:
        self._server, self._method = server, method
        self._parameters = server._parameters({**parameters, "numbersAsText": True})
        self.fields, self.notes = [], []

    def __repr__(self) -> str:
        what = self._parameters.get("table") or self._parameters.get("sql")
        return f"<Rows of {what!a}: iterate over them, or use rows(), to_arrow(), to_polars() or to_pandas()>"

    def _repr_html_(self) -> str:
        """The first rows as a table, for notebooks. It reads only these."""
        first = copy(self)
        limit = self._parameters.get("limit")
        first._parameters = {**self._parameters, "limit": min(SHOWN_ROWS + 1, SHOWN_ROWS + 1 if limit is None else limit)}
        rows = [row for batch in first.batches() for row in batch]
        return html_table([field.name for field in first.fields], rows)

    def __iter__(self) -> Iterator[Row]:
        for batch in self.batches():
            names = [field.name for field in self.fields]
            for row in batch:
                yield dict(zip(names, row, strict=True))

    def batches(self) -> Generator[list[list[Any]], None, None]:
        """The rows as lists of values in the order of `fields`, as they arrive."""
        converted: list[tuple[int, str]] = []
        with self._server._pool.connection() as connection:
            for reply in connection.stream(f"org.relativityd.Data.{self._method}", self._parameters):
                if "fields" in reply:
                    self.fields = [record(Field, each) for each in reply["fields"]]
                    converted = values.converted_columns([field.type for field in self.fields])
                if rows := reply.get("rows"):
                    yield [values.decode_row(row, converted, self._server._decimal) for row in rows]
                self.notes = _notes(reply)

    def arrow_messages(self) -> Generator[memoryview, None, None]:
        """The messages of an Arrow IPC stream as they arrive: first the schema, then the batches; without the end marker.
        Raises the error of a read that fails. With `decimal=float` of `relativity.open`, Currency and Decimal are
        float64."""
        parameters = {name: value for name, value in self._parameters.items() if name != "numbersAsText"}
        if self._server._decimal is float:
            parameters["decimal"] = "float"
        with self._server._pool.connection(ends=True) as connection:
            reply = yield from connection.arrow(f"org.relativityd.Data.{self._method}", parameters)
        self.notes = _notes(reply)

    def to_arrow_reader(self) -> pyarrow.RecordBatchReader:
        """The rows as they arrive, as record batches of PyArrow. A reader that is released before its end cancels its
        read."""
        import pyarrow

        messages = self.arrow_messages()
        schema = pyarrow.ipc.read_schema(pyarrow.py_buffer(next(messages)))
        batches = (pyarrow.ipc.read_record_batch(pyarrow.py_buffer(message), schema) for message in messages)
        return pyarrow.RecordBatchReader.from_batches(schema, batches)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows for any library that reads Arrow, such as DuckDB or Polars. Needs PyArrow."""
        return self.to_arrow_reader().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """All rows as a table of PyArrow."""
        return self.to_arrow_reader().read_all()

    def to_polars(self) -> polars.DataFrame:
        """All rows as a DataFrame of Polars. Does not need PyArrow, but is faster with it."""
        import polars

        try:
            table = self.to_arrow()
        except ModuleNotFoundError:
            return polars.read_ipc_stream(b"".join([*self.arrow_messages(), _arrow.END]))
        return polars.from_arrow(table, rechunk=False)

    def rows(self) -> list[Row]:
        """All rows."""
        return list(self)

    def to_pandas(self, *, dtype_backend: Literal["numpy_nullable", "pyarrow"] = "numpy_nullable") -> pandas.DataFrame:
        """All rows as a DataFrame. With the backend pyarrow, columns have the types of `to_arrow`, and need much less time
        and memory. Otherwise columns have the nullable types Int64, Float64, boolean and string, and
        datetime64[us]. Currency, Decimal, Guid and Blob are objects, so that nothing is lost; with `decimal=float` of
        `relativity.open` the first two are Float64."""
        import pandas

        if dtype_backend == "pyarrow":
            return self.to_arrow().to_pandas(types_mapper=pandas.ArrowDtype)
        if dtype_backend != "numpy_nullable":
            raise ValueError("dtype_backend is numpy_nullable or pyarrow")
        columns: list[list[Any]] = []
        for batch in self.batches():
            columns = columns or [[] for _ in self.fields]
            for column, more in zip(columns, zip(*batch, strict=True), strict=True):
                column.extend(more)
        series = {}
        for index, field in enumerate(self.fields):
            column = columns[index] if columns else []
            series[index] = pandas.Series(column, dtype=values.pandas_type(column, field.type, self._server._decimal))
        frame = pandas.DataFrame(series)
        frame.columns = pandas.Index([field.name for field in self.fields], dtype=object)
        return frame

    def upsert(self, frame: Any, *, was: Any = None, dry_run: bool = False) -> Upserted:
        """Makes the rows of a frame those of the table, in one call: rows with a known key are updated, others inserted.
        Fields without a column stay as they are, or have their defaults, and no row is removed. None, NaN, NaT and NA are
        NULL; a new row whose AutoInc key is NULL gets one. A frame is one of pandas or Polars, Arrow data, or an iterable
        of dicts, and has at most 10,000 rows that change.

        `was` is the frame as it was read: only what differs from it is written, and a row that has changed since then in
        any column of it is a conflict. Without `was` the rows are read now, so that changes of others before this moment
        are overwritten.

        ValueError or TypeError is raised before anything is sent, such as for a key that occurs twice and for a time with
        a zone. NotApplied unless all rows were accepted: after a conflict that is found here, nothing is sent. With
        `dry_run` nothing is sent, and conflicts are only shown. In EditRefused, `edit` is the row of the frame."""
        if self._method != "Read":
            raise ValueError("the rows of a statement belong to no table")
        return upsert(self._server, self._parameters["table"], frame, was, dry_run)


class Edits:
    """Edits that are collected, and made in one call by `apply` or at the end of `with`: all of them, or none if one is
    refused (EditRefused). `with` raises NotApplied if the server did not accept all changes, and applies nothing after
    an exception.

    More than a request can have, 256 KiB, is sent in several: without `pending` they are collected in a pending set with
    a name of its own, which is applied in one call and removed. With `pending` each request is added on its own, so that
    those before a refused edit stay in the set."""

    #: The outcome of the last `apply`.
    result: Applied | None = None

    def __init__(
        self, server: Server, table: str | None, pending: str | PendingSet | None, *, force: bool, **options: Any
    ) -> None:
        self._server, self._table, self._pending = server, table, pending
        self._options = {"force": force or None, **options}
        #: Each with the classes of its values, by the names of the fields.
        self._edits: list[tuple[dict[str, Any], dict[str, type]]] = []

    def __repr__(self) -> str:
        return f"<Edits of {self._table!a}: {len(self._edits)} not applied>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            result = self.apply()
            if self._pending is None:
                result.check()

    def insert(self, new: Mapping[str, Any], *, table: str | None = None) -> None:
        """Adds a row. Other fields have their defaults. An AutoInc key is -1, -2 and so on until the server has made
        the real one; other new rows of the call can refer to it."""
        self._add("insert", table, values=new)

    def update(
        self, key: Any, new: Mapping[str, Any], *, expected: Mapping[str, Any] | None = None, table: str | None = None
    ) -> None:
        """Changes fields of a row. A key of several fields is a mapping. Unless the row has the `expected` values, the
        call is refused."""
        self._add("update", table, key=self._key(key, table), values=new, expected=expected)

    def update_where(self, where: str, new: Mapping[str, Any], *, table: str | None = None) -> None:
        """Changes fields of all rows that satisfy a predicate."""
        self._add("update", table, where=where, values=new)

    def delete(self, key: Any, *, expected: Mapping[str, Any] | None = None, table: str | None = None) -> None:
        """Removes a row."""
        self._add("delete", table, key=self._key(key, table), expected=expected)

    def delete_where(self, where: str, *, table: str | None = None) -> None:
        """Removes all rows that satisfy a predicate."""
        self._add("delete", table, where=where)

    def apply(self) -> Applied:
        """Makes the collected edits, and returns the outcomes of the changes. A returned result is no proof of success:
        see `Applied.ok`. After Disconnected it is unknown whether they were made."""
        self.result = self._run() if self._edits else Applied([], [], None, None)
        self._edits = []
        return self.result

    def preview(self) -> list[Change]:
        """The changes that `apply` would make now. RequestTooLong for more than a request can have, if `pending` has
        changes already."""
        return self._run(is_dry=True).changes if self._edits else []

    def _run(self, *, is_dry: bool = False) -> Applied:
        # The types of the values in the reply. They are read before it, so that no failure can lose the outcomes.
        for edit, kinds in self._edits:
            _require(self._server._schema(edit["table"]), kinds)
        parts = list(self._parts())
        if self._pending is not None and not is_dry:
            return self._keep(parts, self._pending, self._options)
        place = self._pending
        if place is not None or len(parts) == 1:
            known = {"pending": place.name, "revision": place.revision} if isinstance(place, PendingSet) else {}
            if len(parts) > 1 and known.get("revision") is not None:
                raise RequestTooLong("a preview of edits of a pending set has at most 256 KiB: preview them in parts")
            options: dict[str, Any] = {"pending": place, **self._options, **known, "dryRun": is_dry or None}
            applied = self._server._applied(self._server._call("Edit", edits=parts[0], **options))
            if len(parts) == 1:
                return applied
        name = f"python-{uuid4()}"
        try:
            kept = self._keep(parts, name, {**self._options, "force": None})
            if is_dry:
                return kept
            force = self._options["force"]
            reply = self._server._call("Apply", pending=name, revision=kept.revision, force=force)
            return replace(self._server._applied(reply), revision=None)
        finally:
            with suppress(RelativityError):
                self._server.pending(name).drop()

    def _keep(
        self, parts: Iterable[list[dict[str, Any]]], place: str | PendingSet, options: Mapping[str, Any]
    ) -> Applied:
        """Adds edits to a pending set."""
        name, revision = (place.name, place.revision) if isinstance(place, PendingSet) else (place, None)
        changes: list[Change] = []
        count = 0
        try:
            for part in parts:
                reply = self._server._call("Edit", edits=part, **options, pending=name, revision=revision)
                revision = reply.get("revision")
                changes += self._server._applied(reply).changes
                count += len(part)
        except EditRefused as error:
            error.edit += count
            raise
        finally:
            if isinstance(place, PendingSet) and count:
                place._advance(revision)
        return Applied(changes, [], None, revision)

    def _parts(self) -> Iterator[list[dict[str, Any]]]:
        """The edits, as many in each list as a request can have."""
        most = _varlink.REQUEST_BYTES - len(_varlink.encode([self._server._server, self._options])) - 1_024
        part: list[dict[str, Any]] = []
        size = 0
        for edit, _ in self._edits:
            length = len(_varlink.encode(edit)) + 1
            if part and size + length > most:
                yield part
                part, size = [], 0
            part.append(edit)
            size += length
        yield part

    def _name(self, table: str | None) -> str:
        name = table or self._table
        if not name:
            raise ValueError("no table: name it here or in edit()")
        return name

    def _key(self, key: Any, table: str | None) -> Mapping[str, Any]:
        if not isinstance(key, Mapping):
            names = self._server._schema(self._name(table)).key
            if len(names) != 1:
                raise ValueError(f"the key of {self._name(table)} is a mapping of the fields {names}")
            return {names[0]: key}
        return cast(Mapping[str, Any], key)

    def _add(self, action: str, table: str | None, *, where: str | None = None, **rows: Mapping[str, Any] | None) -> None:
        """Adds an edit. `rows` are its key, values and expected values."""
        known = {part: row for part, row in rows.items() if row is not None}
        edit: dict[str, Any] = {"action": action, "table": self._name(table)}
        if where is not None:
            edit["where"] = where
        edit |= {part: values.encode_all(row) for part, row in known.items()}
        self._edits.append((edit, {name: type(value) for row in known.values() for name, value in row.items()}))


class PendingSet:
    """Changes that are kept in a file of the user until they are applied or dropped. Every method that changes the set
    fails with PendingChanged if another program has changed it since it was read here."""

    #: The number of the present state; None if the set was removed, because it has no further changes.
    revision: int | None
    changes: list[Change]

    def __init__(self, server: Server, name: str) -> None:
        self._server, self.name = server, name
        self.reload()

    def __repr__(self) -> str:
        return f"<PendingSet {self.name!a}: {len(self.changes)} changes>"

    def reload(self) -> None:
        """Reads the set again."""
        reply = self._server._call("GetPending", server=None, pending=self.name)
        self._learn(reply["changes"])
        self.revision = reply["set"]["revision"]
        self.changes = [self._server._change(each) for each in reply["changes"]]

    def edit(self, table: str | None = None, **options: Any) -> Edits:
        """Adds edits, as Server.edit does."""
        return self._server.edit(table, pending=self, **options)

    def apply(self, *, force: bool = False) -> Applied:
        """Sends the changes. Those that were not accepted stay in the set. `force` overwrites rows that others have
        changed. After Disconnected, `reload` shows what is pending or unknown."""
        reply = self._server._call("Apply", pending=self.name, revision=self.revision, force=force or None)
        result = self._server._applied(reply)
        self.revision = result.revision
        self.changes = [change for change in result.changes if change.outcome != "accepted"]
        return result

    def check(self) -> list[Verdict]:
        """Compares the changes of unknown outcome with the rows of the server, before `retry`, `settle` or `drop`."""
        verdicts = self._server._call("CheckPending", pending=self.name)["verdicts"]
        self._learn(each["change"] for each in verdicts)
        return [
            Verdict(
                self._server._change(each["change"]),
                each["verdict"],
                [self._server._row(each["change"]["table"], row) or {} for row in each["matches"]],
            )
            for each in verdicts
        ]

    def retry(self) -> None:
        """Makes all changes of unknown outcome pending again. If the server has made them, an insert is made twice."""
        self._decide("RetryPending", None)

    def settle(self, changes: Iterable[Change] | None = None) -> None:
        """Regards changes of unknown outcome as made by the server, by default all of them."""
        self._decide("SettlePending", changes)

    def drop(self, changes: Iterable[Change] | None = None) -> None:
        """Drops changes, by default the complete set."""
        self._decide("DropPending", changes)

    def _decide(self, method: str, changes: Iterable[Change] | None) -> None:
        names = None if changes is None else [{"table": each.table, "row": each.row} for each in changes]
        parameters = {"pending": self.name, "revision": self.revision, "changes": names}
        self._advance(self._server._call(method, server=None, **parameters).get("revision"))

    def _advance(self, revision: int | None) -> None:
        self.revision, self.changes = revision, []
        if revision is not None:
            self.reload()

    def _learn(self, changes: Iterable[Mapping[str, Any]]) -> None:
        for change in changes:
            self._server._schema(change["table"])
