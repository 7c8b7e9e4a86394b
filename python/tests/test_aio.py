# SPDX-License-Identifier: Apache-2.0
"""The package for asyncio, against a service whose replies a test determines."""

import asyncio
import contextlib
import threading
import unittest

import relativity.aio
from fake import FakeService, batch, error, good

FIELDS = [{"name": "Id", "type": "Integer"}, {"name": "Name", "type": "WideString"}]


class AsyncTests(unittest.IsolatedAsyncioTestCase):
    async def server(self, answer):
        self.service = FakeService(self, answer)
        server = await relativity.aio.open("shop")
        self.addAsyncCleanup(server.close)
        return server

    async def test_rows_are_those_of_each_batch_in_their_order(self):
        def answer(call):
            yield batch(fields=FIELDS)
            yield batch(rows=[[1, "a"], [2, "b"]])
            yield batch(rows=[[3, "c"]])
            yield good(rows=[], count=3)

        server = await self.server(answer)
        rows = server.table("Users", where="Id > 0")
        expected = [{"Id": 1, "Name": "a"}, {"Id": 2, "Name": "b"}, {"Id": 3, "Name": "c"}]
        self.assertEqual([row async for row in rows], expected)
        self.assertEqual(await rows.rows(), expected)
        self.assertEqual([field.name for field in rows.fields], ["Id", "Name"])
        self.assertEqual(self.service.calls[0]["parameters"]["where"], "Id > 0")

    async def test_the_loop_goes_on_while_a_server_is_slow(self):
        asked, go_on = threading.Event(), threading.Event()

        def answer(call):
            asked.set()
            go_on.wait(20)
            yield good(tables=["Users"])

        server = await self.server(answer)
        waiting = asyncio.create_task(server.run(lambda server: server.tables()))
        self.assertTrue(await asyncio.to_thread(asked.wait, 20))
        self.assertFalse(waiting.done())
        go_on.set()
        self.assertEqual(await waiting, ["Users"])

    async def test_an_iteration_that_ends_early_cancels_its_read(self):
        go_on = threading.Event()
        self.addCleanup(go_on.set)

        def answer(call):
            yield batch(fields=FIELDS)
            yield batch(rows=[[1, "a"]])
            go_on.wait(20)

        server = await self.server(answer)
        async with contextlib.aclosing(aiter(server.table("Users"))) as rows:
            async for row in rows:
                self.assertEqual(row, {"Id": 1, "Name": "a"})
                break
        go_on.set()
        self.assertTrue(await asyncio.to_thread(self.service.ended.wait, 20))

    async def test_a_task_that_is_cancelled_does_not_wait_for_the_server(self):
        asked, go_on = threading.Event(), threading.Event()
        self.addCleanup(go_on.set)

        def answer(call):
            yield batch(fields=FIELDS)
            asked.set()
            go_on.wait(20)
            yield batch(rows=[[1, "a"]])

        server = await self.server(answer)

        async def read():
            return [row async for row in server.table("Users")]

        reading = asyncio.create_task(read())
        self.assertTrue(await asyncio.to_thread(asked.wait, 20))
        reading.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await asyncio.wait_for(reading, 5)
        self.assertFalse(self.service.ended.is_set())
        go_on.set()
        self.assertTrue(await asyncio.to_thread(self.service.ended.wait, 20))

    async def test_an_error_of_the_service_is_raised(self):
        server = await self.server(lambda call: [error("org.relativityd.Data.FieldUnknown", field="X", table="Users")])
        with self.assertRaises(relativity.errors.FieldUnknown):
            await server.table("Users").rows()
        with self.assertRaises(relativity.errors.FieldUnknown):
            [row async for row in server.table("Users")]
