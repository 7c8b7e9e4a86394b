# SPDX-License-Identifier: Apache-2.0
"""Rows of DataFrames as edits, in the sandbox of test_server."""

import asyncio
import pickle
import unittest
from datetime import UTC, datetime
from decimal import Decimal
from unittest import mock
from uuid import uuid4

import pandas
import polars
import pyarrow
import relativity
from relativity import _upsert, errors


class UpsertTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(relativity.open("sample"))
        with self.server.edit("Orders") as edits:
            for number in range(3):
                edits.insert({
                    "Number": uuid4(), "Date": datetime(2026, 5, 6, 7, 8, 9, 10_000), "Status": 1, "Type": 1, "Client": 1,
                    "Worker": number + 1, "Amount": Decimal("900719925474.0993"),
                })
        self.keys = [change.key["Id"] for change in edits.result.changes]
        self.addCleanup(self.remove)
        self.orders = self.server.table("Orders", where=f"Id >= {self.keys[0]}", sort="Id")

    def remove(self):
        with relativity.open("sample") as server, server.edit("Orders") as edits:
            edits.delete_where(f"Id >= {self.keys[0]}")

    def column(self, name):
        return [row[name] for row in self.orders]

    def other(self, key, **values):
        """A change by another client."""
        with self.server.edit("Orders") as edits:
            edits.update(key, values)

    def test_a_frame_of_each_kind_changes_only_what_differs(self):
        def edited(frame, workers):
            if isinstance(frame, pandas.DataFrame):
                return frame.assign(Worker=workers)
            if isinstance(frame, polars.DataFrame):
                return frame.with_columns(Worker=polars.Series(workers))
            if isinstance(frame, pyarrow.Table):
                return frame.set_column(frame.column_names.index("Worker"), "Worker", [workers])
            return [row | {"Worker": workers[index]} for index, row in enumerate(frame)]

        reads = (
            self.orders.to_pandas, lambda: self.orders.to_pandas(dtype_backend="pyarrow"), self.orders.to_polars,
            self.orders.to_arrow, self.orders.rows, lambda: self.orders.to_pandas().set_index("Id"),
        )
        for worker, read in enumerate(reads, 3):
            rows = read()
            result = self.orders.upsert(edited(rows, [1, worker, 3]), was=rows)
            self.assertEqual([row and (row.key, row.new) for row in result.rows],
                             [None, ({"Id": self.keys[1]}, {"Worker": worker}), None])
            self.assertTrue(result.ok)
            self.assertEqual(self.column("Worker"), [1, worker, 3])
            self.assertEqual(self.orders.upsert(read()).rows, [None] * 3)
        stream = pyarrow.RecordBatchReader.from_stream(self.orders)
        self.assertEqual(self.orders.upsert(stream, was=self.orders).changes, [])

    def test_a_row_that_others_have_changed_is_a_conflict_and_nothing_is_sent(self):
        rows = self.orders.to_pandas()
        frame = rows.assign(Status=[2, 2, 1])
        self.other(self.keys[0], Worker=9)
        self.other(self.keys[2], Worker=9)
        shown = self.orders.upsert(frame, was=rows, dry_run=True)
        with self.assertRaises(relativity.NotApplied) as raised:
            self.orders.upsert(frame, was=rows)
        self.assertEqual(shown, raised.exception.result)
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((again.args, again.result), (raised.exception.args, shown))
        key = self.keys[0]
        self.assertEqual(str(raised.exception), f"1 conflict, 1 pending: another client changed Orders {key}: Worker was 1 and is 9")
        conflict, pending, same = shown.rows
        self.assertEqual((conflict.outcome, conflict.conflict), ("conflict", "changed"))
        self.assertEqual((conflict.base, conflict.theirs), ({"Worker": 1}, {"Worker": 9}))
        self.assertEqual((pending.outcome, same), ("pending", None))
        self.assertEqual(self.column("Status"), [1, 1, 1])
        self.assertTrue(self.orders.upsert(frame).ok, "without `was` the rows are those of now")
        self.assertEqual((self.column("Status"), self.column("Worker")), ([2, 2, 1], [1, 2, 3]))

    def test_a_row_that_is_gone_or_was_not_read_is_a_conflict(self):
        rows = self.orders.rows()
        with self.server.edit("Orders") as edits:
            edits.delete(self.keys[0])
        frame = [row | {"Status": 4} for row in rows]
        result = self.orders.upsert(frame, was=rows[:2], dry_run=True)
        self.assertEqual([(row.outcome, row.conflict) for row in result.rows],
                         [("conflict", "missing"), ("pending", None), ("conflict", "keyTaken")])
        self.assertEqual(result.rows[2].theirs["Status"], 1)

    def test_a_change_after_the_comparison_is_found_too(self):
        run = _upsert._Upsert.run

        def late(upsert, *arguments):
            self.other(self.keys[2], Worker=9)
            return run(upsert, *arguments)

        rows = self.orders.to_polars()
        frame = rows.with_columns(Status=polars.Series([1, 2, 2]))
        with mock.patch.object(_upsert._Upsert, "run", late), self.assertRaises(errors.EditRefused) as refused:
            self.orders.upsert(frame, was=rows)
        self.assertEqual((refused.exception.edit, refused.exception.reason), (2, "notExpected"))
        self.assertEqual(self.column("Status"), [1, 1, 1])

    def test_new_rows_get_keys_and_defaults_and_absent_columns_stay(self):
        frame = pandas.DataFrame({
            "id": [self.keys[1], None, None], "Status": [3, 4, 5], "Number": [str(uuid4()) for _ in range(3)],
            "DATE": pandas.Timestamp("2026-01-02 03:04:05.678"), "Type": 1.0, "Client": 1, "Amount": [0.5, 1e-4, 7],
        })
        before = self.orders.rows()
        result = self.orders.upsert(frame)
        self.assertEqual([row.action for row in result.rows], ["update", "insert", "insert"])
        rows = self.orders.rows()
        self.assertEqual([row.key["Id"] for row in result.rows], [row["Id"] for row in (rows[1], *rows[3:])])
        self.assertEqual([row["Status"] for row in rows], [1, 3, 1, 4, 5])
        self.assertEqual([row["Amount"] for row in (rows[1], *rows[3:])], [Decimal("0.5"), Decimal("0.0001"), Decimal(7)])
        self.assertEqual((rows[1]["Worker"], rows[4]["Worker"]), (before[1]["Worker"], None))
        self.assertEqual(rows[4]["Date"], datetime(2026, 1, 2, 3, 4, 5, 678_000))

    def test_missing_values_are_null_where_a_field_may_be(self):
        for nothing in (None, float("nan"), pandas.NA, pandas.NaT):
            self.orders.upsert([{"Id": self.keys[0], "Worker": 5}])
            self.orders.upsert(pandas.DataFrame({"Id": [self.keys[0]], "Worker": [nothing]}, dtype=object))
            self.assertEqual(self.column("Worker")[0], None)
        self.orders.upsert(polars.DataFrame({"Id": self.keys, "Worker": [None, 5, None]}))
        self.assertEqual(self.column("Worker"), [None, 5, None])

    def test_a_frame_that_is_refused_is_refused_before_a_call(self):
        key = self.keys[0]
        self.orders.upsert([])
        time = datetime(2026, 1, 1)
        frame = self.orders.to_pandas()
        cases = [
            (pandas.concat([frame, frame]), "row 3 has the key of another one"),
            (pandas.concat([frame, frame["Id"]], axis=1), "two columns have the same name"),
            (polars.DataFrame({"Id": [key], "Date": [time.replace(tzinfo=UTC)]}), r"row 0, Orders\.Date: .* has a zone"),
            (pandas.DataFrame({"Id": [key], "Date": [pandas.Timestamp(time, tz="CET")]}), "has a zone"),
            ([{"Id": key, "Date": "2026-01-01T00:00:00Z"}], "has a zone"),
            ([{"Id": key, "Date": pandas.NaT}], "Date cannot be NULL"),
            ([{"Id": key, "Status": 1.5}], r"row 0, Orders\.Status: 1.5 is no integer"),
            ([{"Id": key, "Amount": float("inf")}], "inf is no value"),
            ([{"Id": key, "Colour": 1}], "no field 'Colour'"),
            ([{"Id": key, "Status": 1, "STATUS": 2}], "two columns are Status"),
            ([{"Status": 1}], "row 0 lacks the key: Id"),
        ]
        with mock.patch.object(relativity.Server, "_call", side_effect=AssertionError("a call")):
            for rows, text in cases:
                with self.subTest(text), self.assertRaisesRegex(ValueError, text):
                    self.orders.upsert(rows)
            with self.assertRaisesRegex(ValueError, "row 1 has the key"):
                self.orders.upsert([], was=[{"Id": key}] * 2)
            for rows in (["x"], [{"Id": key, "Status": [1]}]):
                with self.assertRaisesRegex(TypeError, "row 0"):
                    self.orders.upsert(rows)
            with self.assertRaisesRegex(ValueError, "statement"):
                self.server.sql("SELECT Id FROM Orders").upsert([])

    def test_a_row_that_is_refused_or_rejected_is_named(self):
        text = "x" * 5_000
        with self.assertRaises(errors.EditRefused) as refused:
            self.orders.upsert([{"Id": self.keys[0], "Status": 1}, {"Id": self.keys[1], "Customer": text}])
        self.assertEqual((refused.exception.edit, refused.exception.field), (1, "Customer"))
        self.assertRegex(str(refused.exception), "^edit 1: Orders: ")
        frame = pandas.DataFrame({"Id": self.keys, "Customer": ["PARIS", "NOONE", "PARIS"]})
        with self.assertRaises(relativity.NotApplied) as raised:
            self.orders.upsert(frame)
        outcomes = [row.outcome for row in raised.exception.result.rows]
        self.assertEqual(outcomes, ["accepted", "rejected", "accepted"])

    def test_floats_do_not_round_what_stays(self):
        with relativity.open("sample", decimal=float) as server:
            table = server.table("Orders", where=f"Id >= {self.keys[0]}", sort="Id")
            rows = table.to_pandas()
            result = table.upsert(rows.assign(Status=[2, 1, 1]), was=rows)
            self.assertEqual([row and row.new for row in result.rows], [{"Status": 2}, None, None])
            rows.loc[2, "Amount"] = 12.34
            self.assertEqual([row and row.new for row in table.upsert(rows).rows][1:], [None, {"Amount": 12.34}])
        self.assertEqual(self.column("Amount"), [Decimal("900719925474.0993")] * 2 + [Decimal("12.34")])

    def test_many_rows_are_one_call(self):
        frame = pandas.DataFrame({"Id": self.keys, "Status": 3, "Worker": 3})
        with (
            mock.patch.object(_upsert, "_KEYS", 2),
            mock.patch.object(relativity.server._varlink, "REQUEST_BYTES", 1_300),
            mock.patch.object(relativity.Server, "_call", autospec=True, side_effect=relativity.Server._call) as calls,
        ):
            result = self.orders.upsert(frame)
        methods = [call.args[1] for call in calls.mock_calls]
        self.assertEqual((methods.count("Apply"), "Edit" in methods), (1, True))
        self.assertEqual([row.key["Id"] for row in result.rows], self.keys)
        self.assertEqual((self.column("Status"), self.server.pending_sets()), ([3, 3, 3], []))

    def test_keys_of_several_fields_are_found(self):
        details = self.server.table("OrderDetails", sort="Id", limit=5).rows()
        keys = [(row["Order"], row["Product"]) for row in details]
        with mock.patch.object(_upsert, "_KEYS", 2):
            conditions = list(_upsert._conditions(["Order", "Product"], keys))
        self.assertEqual(len(conditions), 3)
        found = [row for where in conditions for row in self.server.table("OrderDetails", where=where)]
        self.assertEqual({(row["Order"], row["Product"]) for row in found}, set(keys))

    def test_a_thread_runs_it_for_an_event_loop(self):
        async def change():
            frames = [[{"Id": key, "Status": 5}] for key in self.keys]
            return await asyncio.gather(*(asyncio.to_thread(self.orders.upsert, each) for each in frames))

        self.assertTrue(all(each.ok for each in asyncio.run(change())))
        self.assertEqual(self.column("Status"), [5, 5, 5])
