# SPDX-License-Identifier: Apache-2.0
"""The adapter of Harlequin: as its users run it, with hsql against the sample server of `relctl sandbox --user Data
--schema PCTrade`, and against a service that a test controls."""

import json
import os
import subprocess
import sys
import unittest

import pyarrow
import relativity
from fake import FakeService, error, good
from harlequin.exception import HarlequinConnectionError, HarlequinQueryError
from relativity.harlequin import RelativityAdapter


def hsql(*arguments):
    """The status, the output and the errors of a run."""
    program = os.path.join(os.path.dirname(sys.executable), "hsql")
    run = subprocess.run(
        [program, "-a", "relativity", "--no-write-history", *arguments], capture_output=True, text=True, timeout=60
    )
    return run.returncode, run.stdout, run.stderr


class HeadlessTests(unittest.TestCase):
    def rows(self, *arguments):
        status, output, errors = hsql("--json", *arguments)
        self.assertEqual(status, 0, errors)
        return json.loads(output)

    def test_a_statement_has_the_rows_of_the_package(self):
        statement = "SELECT Id, Code, Name, Price, Weight, InStock, Picture FROM Products WHERE Id < 8 ORDER BY Id"
        rows = self.rows("sample", "-c", statement + ";")
        with relativity.open("sample") as server:
            expected = server.sql(statement).rows()
        self.assertEqual([row["Name"] for row in rows], [row["Name"] for row in expected])
        self.assertEqual([row["Price"] for row in rows], [float(row["Price"]) for row in expected])
        self.assertEqual([row["InStock"] for row in rows], [row["InStock"] for row in expected])
        self.assertEqual(list(rows[0]), list(expected[0]))

    def test_the_catalog_has_servers_tables_and_fields(self):
        def names(*arguments):
            return [row["name"] for row in self.rows("--catalog", *arguments)]

        self.assertEqual(names(), ["sample"])
        self.assertEqual(names("sample"), ["sample"])
        with relativity.open("sample") as server:
            self.assertEqual(names("sample", "--path", "sample"), server.tables())
            fields = server.schema("Orders").fields
        listed = self.rows("sample", "--catalog", "--path", "sample.Orders")
        self.assertEqual([row["name"] for row in listed], [each.name for each in fields])

    def test_named_schemas_are_a_level_of_the_catalog_and_places_of_statements(self):
        options = ("sample", "--schema", "PCTrade", "--schema", "Simple")
        self.assertEqual([row["name"] for row in self.rows(*options, "--catalog", "--path", "sample")], ["PCTrade", "Simple"])
        tables = [row["name"] for row in self.rows(*options, "--catalog", "--path", "sample.Simple")]
        self.assertIn("Deps", tables)
        (row,) = self.rows(*options, "-c", "use sample.Simple", "-c", "select count(*) as Number from Deps where DepId < 3")
        self.assertEqual(row, {"Number": 2})

    def test_errors_are_those_of_the_api(self):
        for arguments, expected in (
            (["none"], "none"),
            (["sample", "-c", "select Nonsense from Orders"], "Nonsense"),
            (["sample", "-c", "use attic"], "attic is none of the servers: \"sample\""),
        ):
            status, output, errors = hsql(*arguments, *([] if "-c" in arguments else ["-c", "select 1"]))
            self.assertNotEqual(status, 0)
            self.assertEqual(output, "")
            self.assertIn(expected, errors)


class AdapterTests(unittest.TestCase):
    def connect(self, answer, *names, **options):
        self.service = FakeService(self, answer)
        connection = RelativityAdapter(names or ["shop"], **options).connect()
        self.addCleanup(connection.close)
        return connection

    @staticmethod
    def stream(table, batches=1):
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            for _ in range(batches):
                writer.write_table(table)
        return sink.getvalue().to_pybytes()

    def test_names_cells_and_errors_cannot_act_on_a_terminal(self):
        text = "a\x1b[2Jb\x9b1m\u202ec\r\nd\te"
        table = pyarrow.table({"x\x1b]0;y\x07": pyarrow.array([text, None, "plain"], pyarrow.large_string())})

        def answer(call):
            match call["method"].rsplit(".", 1)[1]:
                case "Query":
                    return [good(), self.stream(table), good(count=3), None]
                case "ListTables":
                    return [good(tables=["T\x1bc"])]
                case "GetSchema":
                    return [error("org.relativityd.Data.ServerException", message="no\x1b[1m", **{"class": "E", "text": ""})]

        connection = self.connect(answer)
        cursor = connection.execute("select * from T")
        self.assertEqual(cursor.columns(), [("x\\u{1b}]0;y\\u{7}", "s")])
        rows = cursor.fetchall()
        self.assertEqual(rows.column_names, ["x\\u{1b}]0;y\\u{7}"])
        self.assertEqual(rows[0].to_pylist(), ["a\\u{1b}[2Jb\\u{9b}1m\\u{202e}c\nd\te", None, "plain"])
        (server,) = connection.get_catalog().items
        (item,) = server.fetch_children()
        self.assertEqual((item.label, item.query_name), ("T\\u{1b}c", '"T\\u{1b}c"'))
        with self.assertRaises(HarlequinQueryError) as raised:
            item.fetch_children()
        self.assertEqual(raised.exception.msg, "no\\u{1b}[1m")

    def endless(self, call):
        """Batches of ten rows."""
        table = pyarrow.table({"Id": pyarrow.array(range(10), pyarrow.int64())})
        whole = self.stream(table)[:-8]
        yield good()
        yield whole
        while True:
            yield self.stream(table, 2)[len(whole) : -8]

    def test_a_limit_ends_the_read(self):
        for limit, expected in ((25, 25), (10, 10), (1, 1), (0, 0)):
            with self.subTest(limit):
                connection = self.connect(self.endless)
                rows = connection.execute("select Id from T").set_limit(limit).fetchall()
                self.assertEqual((rows.num_rows, rows.column_names), (expected, ["Id"]))
                self.assertTrue(self.service.ended.wait(20))

    def test_a_cut_stream_is_an_error_and_no_end(self):
        table = pyarrow.table({"Id": pyarrow.array(range(10), pyarrow.int64())})
        connection = self.connect(lambda call: [good(), self.stream(table)[:-8], None])
        with self.assertRaisesRegex(HarlequinQueryError, "closed before the end of the rows"):
            connection.execute("select Id from T").fetchall()

    def test_cancel_ends_a_read_and_the_next_statement_connects_again(self):
        connection = self.connect(self.endless)
        cursor = connection.execute("select Id from T")
        connection.cancel()
        self.assertTrue(self.service.ended.wait(20))
        with self.assertRaises(HarlequinQueryError):
            cursor.fetchall()
        self.assertEqual(connection.execute("select Id from T").set_limit(15).fetchall().num_rows, 15)

    def test_use_chooses_among_servers_and_without_names_all_are_listed(self):
        known = {"hidden": False, "state": "announced", "origin": "discovered", "url": "http://x:7099/bin"}
        listed = [{"id": f"id{number}", "name": name} | known for number, name in enumerate(["a", "b", "B"])]
        table = pyarrow.table({"Id": pyarrow.array([1], pyarrow.int64())})

        def answer(call):
            if call["method"].endswith("List"):
                return [good(revision=1, endpoints=listed)]
            return [good(), self.stream(table), good(count=1), None]

        service = FakeService(self, answer)
        connection = RelativityAdapter([]).connect()
        self.addCleanup(connection.close)
        self.assertEqual([item.label for item in connection.get_catalog().items], ["a", "id1", "id2"])
        with self.assertRaisesRegex(HarlequinQueryError, "use SERVER"):
            connection.execute("select 1")
        with self.assertRaisesRegex(HarlequinQueryError, '"a", "id1", "id2"'):
            connection.execute("use none")
        for word, name in (("USE A;", "a"), ('use "id2"', "id2")):
            self.assertIsNone(connection.execute(word))
            self.assertEqual(connection.execute("select Id from T").fetchall().num_rows, 1)
            self.assertEqual(service.calls[-1]["parameters"]["server"]["endpoint"], name)

    def test_a_server_that_is_unknown_is_a_connection_error(self):
        FakeService(self, lambda call: [], error("org.relativityd.Registry.EndpointNotFound", endpoint="nope"))
        with self.assertRaises(HarlequinConnectionError):
            RelativityAdapter(["nope"]).connect()


if __name__ == "__main__":
    unittest.main()
