# SPDX-License-Identifier: Apache-2.0
"""The client against a service that a test controls."""

import gc
import os
import pathlib
import pickle
import re
import tempfile
import tracemalloc
import unittest
from unittest import mock

import duckdb
import pyarrow
import relativity
from fake import FakeService, batch, error, good
from relativity import _varlink, errors

INTERFACES = pathlib.Path(__file__).parents[2] / "Sources/API/LocalAPI/Interfaces"
COLUMNS = [{"name": "Id", "type": "LargeInt"}, {"name": "Text", "type": "WideString"}]


SCHEMA = pyarrow.schema([("Id", pyarrow.int64()), ("Text", pyarrow.large_string())])
REFUSED = b"\xff\xff\xff\xff\xfe\xff\xff\xff"


def arrow(batches, text="x" * 1000):
    """The messages of a stream without its end: the schema, and batches of one row."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, SCHEMA) as writer:
        for number in range(batches):
            writer.write_batch(pyarrow.record_batch([[number], [text]], schema=SCHEMA))
    return sink.getvalue().to_pybytes()[:-8]


class ArrowTests(unittest.TestCase):
    def test_a_stream_in_pieces_is_put_together_and_its_last_reply_has_the_notes(self):
        def answer(call):
            yield good()
            whole = arrow(3) + relativity._arrow.END
            yield from (whole[index : index + 7] for index in range(0, len(whole), 7))
            yield good(count=3, notes=[{"step": "sort", "reason": "lacks"}])
            yield None

        service = FakeService(self, answer)
        with relativity.open("shop") as server:
            rows = server.table("A", where="Id > 1")
            for _ in range(2):
                self.assertEqual(rows.to_arrow()["Id"].to_pylist(), [0, 1, 2])
            self.assertEqual(rows.notes[0].step, "sort")
            self.assertEqual([row["Id"] for row in rows.to_polars().to_dicts()], [0, 1, 2])
        self.assertEqual([call.get("upgrade") for call in service.calls], [True] * 3)
        self.assertNotIn("numbersAsText", service.calls[0]["parameters"])

    def test_large_messages_that_are_kept_do_not_overwrite_each_other(self):
        # Messages that share a block of memory, and one that is larger than a block.
        for text, count in [("x" * 999_999, 20), ("y" * 9_000_001, 2)]:
            FakeService(self, lambda call: [good(), arrow(count, text) + relativity._arrow.END, good(), None])
            with relativity.open("shop") as server:
                table = server.table("A").to_arrow()
            self.assertEqual(table["Id"].to_pylist(), list(range(count)))
            self.assertEqual(table["Text"].unique().to_pylist(), [text])

    def test_a_read_that_fails_raises_its_error_in_each_consumer(self):
        failure = error("org.relativityd.Data.BadData", message="field d of row 9 has more digits", row=9)
        service = FakeService(self, lambda call: [good(), arrow(2) + REFUSED, failure, None])
        with relativity.open("shop") as server:
            rows = server.table("A")
            for read in (rows.to_arrow, rows.to_polars, lambda: rows.to_pandas(dtype_backend="pyarrow")):
                with self.assertRaisesRegex(errors.BadData, "row 9 has more digits"):
                    read()
            with self.assertRaisesRegex(Exception, "row 9 has more digits"):
                duckdb.sql("select sum(Id) from rows").fetchall()

    def test_a_stream_that_just_ends_or_is_no_arrow_is_an_error(self):
        cut = arrow(2)
        for reply, kind in ((cut, errors.Disconnected), (cut[:-5], errors.Disconnected), (b"ARROW1\0\0", errors.ProtocolError),
                            (b"\xff\xff\xff\xff\x08\0\0\0" + b"\xff" * 8, errors.ProtocolError)):
            with self.subTest(reply[-8:]):
                FakeService(self, lambda call: [good(), reply, None])
                with relativity.open("shop") as server, self.assertRaises(kind):
                    server.table("A").to_polars()

    def test_a_reader_that_is_released_cancels_its_read(self):
        def answer(call):
            yield good()
            yield arrow(1)
            while True:
                yield arrow(1)[len(arrow(0)) :]

        service = FakeService(self, answer)
        with relativity.open("shop") as server:
            reader = server.table("A").to_arrow_reader()
            self.assertEqual(reader.read_next_batch().num_rows, 1)
            self.assertFalse(service.ended.is_set())
            del reader
            gc.collect()
            self.assertTrue(service.ended.wait(20))
            stream = pyarrow.RecordBatchReader.from_stream(server.table("A"))
            self.assertEqual(stream.read_next_batch().num_rows, 1)
            service.ended.clear()
            del stream
            gc.collect()
            self.assertTrue(service.ended.wait(20))


class MessageTests(unittest.TestCase):
    def test_a_call_has_the_server_and_no_absent_parameters(self):
        service = FakeService(self, lambda call: [good(tables=["A"])])
        with relativity.open("shop", login="me", schema="PCTrade", interactive=True) as server:
            self.assertEqual(server.tables(), ["A"])
        expected = {"endpoint": "shop", "login": "me", "schema": "PCTrade", "interactive": True}
        self.assertEqual(service.calls[0]["parameters"], {"server": expected})
        self.assertEqual(service.calls[0]["method"], "org.relativityd.Data.ListTables")

    def test_a_reply_in_pieces_is_put_together(self):
        def answer(call):
            whole = '{"parameters":{"tables":["Ünïcode"]}}\0'.encode()
            yield from (whole[index : index + 1] for index in range(len(whole)))

        FakeService(self, answer)
        with relativity.open("shop") as server:
            self.assertEqual(server.tables(), ["Ünïcode"])

    def test_a_reply_that_is_no_varlink_is_a_protocol_error_and_closes_the_connection(self):
        bad = [b"{\0", b"\xff\0", b"[]\0", b"7\0", b'{"parameters":[]}\0', b'{"error":1}\0', b"[" * 100_000 + b"\0"]
        for reply in bad:
            with self.subTest(reply[:20]):
                service = FakeService(self, lambda call: [reply])
                with relativity.open("shop") as server, self.assertRaises(errors.ProtocolError):
                    server.tables()
                self.assertTrue(service.ended.wait(20))

    def test_messages_have_limits(self):
        service = FakeService(self, lambda call: [b"x" * 300_000])
        with relativity.open("shop") as server:
            with self.assertRaises(errors.RequestTooLong):
                server.count("A", where="x" * _varlink.REQUEST_BYTES)
            self.assertEqual(service.calls, [])
            with mock.patch.object(_varlink, "REPLY_BYTES", 200_000), self.assertRaises(errors.ProtocolError):
                server.tables()

    def test_a_lost_connection_is_disconnected(self):
        FakeService(self, lambda call: [None])
        with relativity.open("shop") as server:
            with self.assertRaisesRegex(relativity.Disconnected, "closed before the reply"):
                server.tables()
        with self.assertRaisesRegex(relativity.Disconnected, "server is closed"):
            server.tables()

    def test_a_missing_service_is_an_error_that_says_what_to_type(self):
        home = self.enterContext(tempfile.TemporaryDirectory())
        for variables, command in [
            ({"XDG_RUNTIME_DIR": home, "PATH": home}, f"relativityd-data serve --socket {home}/relativityd/data.sock &"),
            ({"RELATIVITYD_HOME": home, "PATH": home}, f"relativityd-data serve --socket {home}/relativityd/data.sock &"),
            ({"RELATIVITYD_SOCKET": "/none/r.sock", "PATH": home}, "relativityd-data serve --socket /none/data.sock &"),
            ({"RELATIVITYD_DATA_SOCKET": "/no such/d", "PATH": home}, "relativityd-data serve --socket '/no such/d' &"),
        ]:
            with self.subTest(variables), mock.patch.dict("os.environ", variables, clear=True):
                with self.assertRaisesRegex(relativity.Disconnected, "No such file") as raised:
                    relativity.open("shop")
                self.assertIn("start the service: ", str(raised.exception))
                self.assertTrue(str(raised.exception).endswith(command), raised.exception)
        os.makedirs(f"{home}/systemd/private")
        with mock.patch.dict("os.environ", {"XDG_RUNTIME_DIR": home}, clear=True):
            with self.assertRaisesRegex(relativity.Disconnected, "systemctl --user start relativityd-data.socket$"):
                relativity.open("shop")
            with self.assertRaisesRegex(relativity.Disconnected, "systemctl --user start relativityd.socket$"):
                relativity.servers()

    def test_a_server_that_cannot_be_used_is_an_error_of_open(self):
        service = FakeService(self, lambda call: [], error("org.relativityd.Registry.EndpointNotFound", endpoint="nope"))
        with self.assertRaises(errors.EndpointNotFound):
            relativity.open("nope")
        self.assertTrue(service.ended.wait(20))
        service.opening = error("org.relativityd.Broker.EndpointUnreachable", endpoint="shop")
        with relativity.open("shop") as server:
            self.assertEqual(repr(server), "<Server 'shop'>")
        self.assertEqual(service.calls, [])

    def test_servers_leaves_hidden_ones_out(self):
        known = {"state": "announced", "origin": "discovered", "url": "http://x:7099/bin"}
        listed = [{"id": "1", "name": "a", "hidden": False} | known, {"id": "2", "name": "b", "hidden": True} | known]
        FakeService(self, lambda call: [good(revision=1, endpoints=listed)])
        self.assertEqual([each.name for each in relativity.servers()], ["a"])
        self.assertEqual([each.id for each in relativity.servers(hidden=True)], ["1", "2"])


class DisplayTests(unittest.TestCase):
    ROWS = [["1", "<b>&\u202e"], ["2", None]]

    def server(self, rows=ROWS, **options):
        answer = [batch(fields=COLUMNS), batch(rows=[list(row) for row in rows]), good(count=len(rows))]
        self.service = FakeService(self, lambda call: answer)
        return self.enterContext(relativity.open("shop", **options))

    def test_objects_say_what_they_are_and_read_nothing(self):
        server = self.server()
        self.assertEqual(repr(server), "<Server 'Shop', service 'DataService'>")
        self.assertEqual(repr(server.table("A\u202e")), "<Rows of 'A\\u202e': iterate over them, or use rows(), to_arrow(), to_polars() or to_pandas()>")
        edits = server.edit("A")
        edits.insert({"Id": 1})
        self.assertEqual(repr(edits), "<Edits of 'A': 1 not applied>")
        self.assertEqual(self.service.calls, [])

    def test_a_notebook_shows_the_first_rows_as_harmless_html(self):
        rows = self.server().table("A")
        self.assertEqual(
            rows._repr_html_(),
            "<table><thead><tr><th>Id</th><th>Text</th></tr></thead><tbody>"
            "<tr><td>1</td><td>&lt;b&gt;&amp;\\u202e</td></tr><tr><td>2</td><td><i>NULL</i></td></tr></tbody></table>",
        )
        self.assertEqual(self.service.calls[0]["parameters"]["limit"], 21)

    def test_a_notebook_says_that_there_are_more_rows(self):
        server = self.server([[str(number), "x" * 1000] for number in range(21)])
        shown = server.table("A", limit=5000)._repr_html_()
        # One letter is in the name of the column.
        self.assertEqual((shown.count("<tr>"), shown.count("x")), (21, 20 * 199 + 1))
        self.assertTrue(shown.endswith("<p>The first 20 rows.</p>"))
        server.table("A", limit=3)._repr_html_()
        self.assertEqual([each["parameters"]["limit"] for each in self.service.calls], [21, 3])


class NoteTests(unittest.TestCase):
    def test_each_read_of_another_database_warns(self):
        notes = [{"step": "read", "reason": "otherDatabase"}]
        rows = [batch(fields=COLUMNS, table="A"), batch(rows=[["1", "x"]]), good(count=1, notes=notes)]
        FakeService(self, lambda call: [good(count=1, notes=notes)] if call["method"].endswith("Count") else rows)
        server = self.enterContext(relativity.open("shop"))
        for read in (lambda: list(server.table("A")), lambda: server.count("A"), lambda: server.read_tables(["A"])):
            with self.assertWarnsRegex(relativity.OtherDatabase, "same database"):
                read()


class ErrorTests(unittest.TestCase):
    def test_every_error_of_the_interface_has_a_class_with_its_members(self):
        text = (INTERFACES / "org.relativityd.Data.varlink").read_text()
        declared = re.findall(r"^error (\w+) \(([^)]*)\)", text, re.MULTILINE)
        self.assertGreater(len(declared), 15)
        for name, members in declared:
            with self.subTest(name):
                given = {each.split(":")[0].strip(): each for each in members.split(",")}
                raised = errors.call_error(f"org.relativityd.Data.{name}", given)
                self.assertEqual(type(raised).__name__, name)
                self.assertEqual(raised.args[0], "message: string")
                own = {each.removesuffix("_"): getattr(raised, each) for each in type(raised).__annotations__}
                self.assertEqual(own, {key: value for key, value in given.items() if key != "message"})
                # A process of a pool sends it to another one.
                again = pickle.loads(pickle.dumps(raised))
                self.assertEqual((type(again), again.args, vars(again)), (type(raised), raised.args, vars(raised)))

    def test_the_errors_of_the_daemon_have_their_interfaces(self):
        declared = set()
        for path in INTERFACES.glob("*.varlink"):
            declared |= {f"{path.stem}.{name}" for name in re.findall(r"^error (\w+)", path.read_text(), re.MULTILINE)}
        declared.add("org.varlink.service.InvalidParameter")
        self.assertLessEqual(errors._CLASSES.keys(), declared)

    def test_other_errors_are_call_errors_and_leave_the_connection_open(self):
        service = FakeService(self, lambda call: [error("org.example.New", fact=1)])
        with relativity.open("shop") as server:
            for _ in range(2):
                with self.assertRaises(relativity.CallError) as raised:
                    server.tables()
                self.assertIs(type(raised.exception), relativity.CallError)
                self.assertEqual(raised.exception.parameters, {"fact": 1})
                self.assertEqual(str(raised.exception), "org.example.New(fact=1)")
        self.assertEqual(service.connections, 1)


class StreamTests(unittest.TestCase):
    def endless(self, rows=100):
        """Sends batches of about 100 KB until the caller has gone."""

        def answer(call):
            yield batch(fields=COLUMNS)
            number = 0
            while True:
                yield batch(rows=[[str(number + index), "x" * 1000] for index in range(rows)])
                number += rows

        return FakeService(self, answer)

    def test_a_slow_caller_slows_the_service_down_and_the_end_of_the_loop_cancels_the_call(self):
        service = self.endless()
        with relativity.open("shop") as server:
            rows = iter(server.table("A"))
            self.assertEqual(next(rows)["Id"], 0)
            self.assertFalse(service.ended.wait(0.2))
            # The buffers of a Unix socket have less than 1 MB.
            self.assertLess(service.sent, 20)
            rows.close()
            self.assertTrue(service.ended.wait(20))
            self.assertEqual(service.connections, 1)

    def test_an_iteration_has_constant_memory(self):
        self.endless()
        with relativity.open("shop") as server:
            rows = iter(server.table("A"))
            next(rows)
            gc.collect()
            tracemalloc.start()
            for row in rows:
                if row["Id"] == 10_000:
                    break
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            rows.close()
        # 10 MB have passed.
        self.assertLess(peak, 2 << 20)

    def test_reads_at_the_same_time_have_connections_of_their_own_and_ended_ones_are_used_again(self):
        def answer(call):
            if call["method"].endswith(".Count"):
                return [good(count=2)]
            return [batch(fields=COLUMNS), batch(rows=[["1", "a"], ["2", "b"]]), good(count=2, notes=[])]

        service = FakeService(self, answer)
        with relativity.open("shop") as server:
            table = server.table("A")
            counts = [(row["Id"], server.count("A")) for row in table]
            self.assertEqual(counts, [(1, 2), (2, 2)])
            self.assertEqual(service.connections, 2)
            self.assertEqual([row["Text"] for row in table], ["a", "b"], "a table can be read again")
            self.assertEqual(table.rows(), [{"Id": 1, "Text": "a"}, {"Id": 2, "Text": "b"}])
            self.assertEqual(service.connections, 2)

    def test_a_connection_that_the_service_closed_while_it_was_idle_is_replaced(self):
        service = FakeService(self, lambda call: [good(count=1), None])
        with relativity.open("shop") as server:
            for _ in range(3):
                self.assertEqual(server.count("A"), 1)
                self.assertTrue(service.ended.wait(20))
                service.ended.clear()
        self.assertEqual(service.connections, 3)

    def test_a_process_after_fork_has_connections_of_its_own(self):
        def answer(call):
            if call["method"].endswith(".Count"):
                return [good(count=2)]
            return [batch(fields=COLUMNS), batch(rows=[["1", "a"]]), batch(rows=[["2", "b"]]), good(count=2, notes=[])]

        service = FakeService(self, answer)
        with relativity.open("shop") as server:
            rows = iter(server.table("A"))
            next(rows)
            server.count("A")
            self.assertEqual(service.connections, 2)
            child = os.fork()
            if not child:
                status = 1
                try:
                    counted = server.count("A")
                    with self.assertRaises(relativity.Disconnected):
                        list(rows)
                    server.close()
                    status = 0 if counted == 2 else 2
                finally:
                    os._exit(status)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            self.assertEqual(service.connections, 3)
            self.assertEqual([row["Id"] for row in rows], [2], "the read of the parent goes on")
            self.assertEqual(server.count("A"), 2)
            self.assertEqual(service.connections, 3)

    def test_a_table_that_is_sent_twice_has_its_rows_once(self):
        sent = [batch(table="A", fields=COLUMNS), batch(rows=[["1", "a"]])]
        FakeService(self, lambda call: [*sent, *sent, good(count=2, notes=[])])
        with relativity.open("shop") as server:
            self.assertEqual(server.read_tables(["A", "A"]), {"A": [{"Id": 1, "Text": "a"}]})

    def test_an_error_in_a_stream_is_raised_at_its_place(self):
        FakeService(
            self,
            lambda call: [
                batch(fields=COLUMNS), batch(rows=[["1", "a"]]), error("org.relativityd.Data.Timeout", seconds=60)
            ],
        )
        with relativity.open("shop") as server:
            rows = iter(server.table("A"))
            self.assertEqual(next(rows)["Id"], 1)
            with self.assertRaises(errors.Timeout) as raised:
                next(rows)
            self.assertEqual(raised.exception.seconds, 60)

    def test_closing_the_server_ends_its_reads(self):
        service = self.endless()
        server = relativity.open("shop")
        rows = iter(server.table("A"))
        next(rows)
        server.close()
        self.assertTrue(service.ended.wait(20))
        with self.assertRaises(relativity.Disconnected):
            list(rows)


class OutcomeTests(unittest.TestCase):
    """Outcomes that a sample server does not have."""

    SCHEMA = good(tables=[{"name": "A", "fields": [{"name": "Id", "type": "LargeInt", "key": True}]}])

    def change(self, outcome):
        return {"table": "A", "row": 4, "action": "update", "key": {"Id": "7"}, "outcome": outcome}

    def test_an_edit_of_unknown_outcome_is_not_applied(self):
        reply = good(
            changes=[self.change("accepted"), self.change("unknown")],
            notes=[],
            failure={"kind": "unknownOutcome", "message": "no reply came"},
        )
        FakeService(self, lambda call: [self.SCHEMA if call["method"].endswith("GetSchema") else reply])
        with relativity.open("shop") as server:
            with self.assertRaisesRegex(relativity.NotApplied, "no reply came; 1 accepted, 1 unknown") as raised:
                with server.edit("A") as edits:
                    edits.delete(7)
            result = raised.exception.result
            self.assertIs(result, edits.result)
            self.assertEqual([change.outcome for change in result.changes], ["accepted", "unknown"])
            self.assertEqual(result.failure.kind, "unknownOutcome")
            self.assertEqual(result.changes[1].key, {"Id": 7})

    def test_a_value_that_does_not_fit_its_type_does_not_lose_an_outcome(self):
        reply = good(changes=[self.change("accepted") | {"key": {"Id": "many"}}], notes=[])
        FakeService(self, lambda call: [self.SCHEMA if call["method"].endswith("GetSchema") else reply])
        with relativity.open("shop") as server, server.edit("A") as edits:
            edits.delete(7)
        self.assertEqual(edits.result.changes[0].key, {"Id": "many"})

    def test_a_key_of_several_fields_is_a_mapping(self):
        fields = [{"name": name, "type": "Integer", "key": True} for name in ("Order", "Product")]
        schema = good(tables=[{"name": "A", "fields": fields}])
        reply = good(changes=[], notes=[])
        service = FakeService(self, lambda call: [schema if call["method"].endswith("GetSchema") else reply])
        with relativity.open("shop") as server, server.edit("A", force=True) as edits:
            with self.assertRaisesRegex(ValueError, r"the fields \['Order', 'Product'\]"):
                edits.delete(1)
            edits.delete({"Order": 1, "Product": 2})
        expected = {"action": "delete", "table": "A", "key": {"Order": "1", "Product": "2"}}
        self.assertEqual(
            service.calls[-1]["parameters"], {"server": {"endpoint": "shop"}, "edits": [expected], "force": True}
        )

    def test_changes_of_unknown_outcome_are_decided_with_the_revision_that_was_seen(self):
        change = self.change("unknown")
        replies = {
            "GetSchema": [self.SCHEMA],
            "GetPending": [
                good(set={"name": "day", "revision": revision, "endpoint": "e", "service": "s"}, changes=[change])
                for revision in (5, 6)
            ],
            "CheckPending": [good(verdicts=[{"change": change, "verdict": "applied", "matches": [{"Id": "7"}]}])],
            "RetryPending": [good(revision=6)],
            "SettlePending": [good()],
        }
        service = FakeService(self, lambda call: [replies[call["method"].split(".")[-1]].pop(0)])
        with relativity.open("shop") as server:
            pending = server.pending("day")
            self.assertEqual((pending.revision, pending.changes[0].outcome), (5, "unknown"))
            (verdict,) = pending.check()
            self.assertEqual((verdict.verdict, verdict.matches, verdict.change.row), ("applied", [{"Id": 7}], 4))
            pending.retry()
            self.assertEqual(pending.revision, 6)
            pending.settle(pending.changes)
            self.assertEqual((pending.revision, pending.changes), (None, []))
        decided = {each["method"].split(".")[-1]: each["parameters"] for each in service.calls}
        self.assertEqual(decided["RetryPending"], {"pending": "day", "revision": 5})
        self.assertEqual(
            decided["SettlePending"], {"pending": "day", "revision": 6, "changes": [{"table": "A", "row": 4}]}
        )
