# SPDX-License-Identifier: Apache-2.0
"""The tables of Relativity servers for asyncio.

    import relativity.aio

    async with await relativity.aio.open("shop") as server:
        async for order in server.table("Orders", where="Amount > 100"):
            print(order)
        names = await server.run(lambda server: server.tables())

Calls run in threads of the loop's executor, so the loop goes on while a server answers. An `await` that is cancelled is
left at once; its thread ends with the reply, and a read with the batch that is on its way.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar

import relativity

from .records import Field, Note, Row, Upserted

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Rows", "Server", "open"]

Result = TypeVar("Result")


async def open(endpoint: str | None = None, **options: Any) -> Server:
    """A server, as `relativity.open` with the same options returns it."""
    return Server(await asyncio.to_thread(relativity.open, endpoint, **options))


class Server:
    """A server for asyncio. Use it in `async with`, or await `close`."""

    def __init__(self, server: relativity.Server) -> None:
        self._server = server

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return repr(self._server)

    async def close(self) -> None:
        """Closes the connections, and so the adapters. Calls that still run are cancelled."""
        await asyncio.to_thread(self._server.close)

    def table(self, table: str, **options: Any) -> Rows:
        """The rows of a table, with the options of `relativity.Server.table`."""
        return Rows(self._server.table(table, **options))

    def sql(self, statement: str, *arguments: Any, **options: Any) -> Rows:
        """The rows of a statement, with the options of `relativity.Server.sql`."""
        return Rows(self._server.sql(statement, *arguments, **options))

    async def run(self, work: Callable[[relativity.Server], Result]) -> Result:
        """Calls a function in a thread, with the server, for example to edit:

            def ship(server):
                with server.edit("Orders") as edits:
                    edits.update(7, {"Status": 3})
            await server.run(ship)
        """
        return await asyncio.to_thread(work, self._server)


class Rows:
    """Rows of a table or of a query. Each iteration reads them again, one batch at a time, and yields a dict for each
    row. An iteration that ends early cancels its read; close it by `contextlib.aclosing` to do so at once."""

    def __init__(self, rows: relativity.Rows) -> None:
        self._rows = rows

    def __repr__(self) -> str:
        return repr(self._rows)

    @property
    def fields(self) -> list[Field]:
        """The columns, after the beginning of an iteration."""
        return self._rows.fields

    @property
    def notes(self) -> list[Note]:
        """The steps that were done by relativityd and not by the server, after the end of an iteration."""
        return self._rows.notes

    async def __aiter__(self) -> AsyncGenerator[Row, None]:
        batches = self._rows.batches()
        # A generator that runs in a thread cannot be closed by another one.
        turn = threading.Lock()

        def following() -> list[list[Any]] | None:
            with turn:
                return next(batches, None)

        def close() -> None:
            with turn:
                batches.close()

        try:
            while (batch := await asyncio.to_thread(following)) is not None:
                names = [field.name for field in self.fields]
                for row in batch:
                    yield dict(zip(names, row, strict=True))
        finally:
            # Not awaited, because a read that was cancelled may wait for the server.
            asyncio.get_running_loop().run_in_executor(None, close)

    async def rows(self) -> list[Row]:
        """All rows."""
        return await asyncio.to_thread(self._rows.rows)

    async def to_arrow(self) -> pyarrow.Table:
        """All rows as a table of PyArrow."""
        return await asyncio.to_thread(self._rows.to_arrow)

    async def to_polars(self) -> polars.DataFrame:
        """All rows as a DataFrame of Polars."""
        return await asyncio.to_thread(self._rows.to_polars)

    async def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """All rows as a DataFrame of pandas, with the options of `relativity.Rows.to_pandas`."""
        return await asyncio.to_thread(self._rows.to_pandas, **options)

    async def upsert(self, frame: Any, **options: Any) -> Upserted:
        """Writes the rows of a DataFrame, with the options of `relativity.Rows.upsert`."""
        return await asyncio.to_thread(self._rows.upsert, frame, **options)
