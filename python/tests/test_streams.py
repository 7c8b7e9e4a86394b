# SPDX-License-Identifier: Apache-2.0
"""Streams that are cut: no reader takes the rows before the cut for all rows, and each one shows the text of this package."""

import io
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import unittest
from unittest import mock

import duckdb
import pandas
import polars
import pyarrow
import relativity
from fake import FakeService, good
from relativity import _arrow

SCHEMA = pyarrow.schema([("Id", pyarrow.int64()), ("Text", pyarrow.large_string())])


def duck(rows):
    return duckdb.sql("select * from rows").fetchall()


#: Each gives all rows, or fails. The first ones are those of this package, the others read `__arrow_c_stream__`.
READERS = {
    "to_arrow": lambda rows: rows.to_arrow(),
    "to_polars": lambda rows: rows.to_polars(),
    "to_pandas": lambda rows: rows.to_pandas(dtype_backend="pyarrow"),
    "pyarrow": pyarrow.table,
    "polars": polars.DataFrame,
    "duckdb": duck,
    "pandas": pandas.DataFrame.from_arrow,
}


class CutTests(unittest.TestCase):
    def test_a_stream_that_is_cut_at_any_message_or_in_it_is_an_error_in_each_reader(self):
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, SCHEMA) as writer:
            for number in range(3):
                writer.write_batch(pyarrow.record_batch([[number], ["x" * 1000]], schema=SCHEMA))
        whole = sink.getvalue().to_pybytes()
        source = io.BytesIO(whole)
        ends = [source.tell() for _ in _arrow.messages(source.readinto)]
        self.assertEqual((len(ends), ends[-1] + len(_arrow.END)), (4, len(whole)))
        for name, read in READERS.items():
            for cut in [end + more for end in ends for more in (-3, 0, 3)]:
                with self.subTest(name, cut=cut):
                    FakeService(self, lambda call: [good(), whole[:cut], None])
                    with relativity.open("shop") as server:
                        with self.assertRaisesRegex(Exception, "closed before the end of the rows"):
                            read(server.table("A"))


class KillTests(unittest.TestCase):
    """A sandbox of its own for each kill. All readers are at the same batch then."""

    def outcomes(self, variable, batch):
        """What each reader raises if the process behind a socket is killed after this batch."""
        run = subprocess.run(
            [os.environ["RELCTL"], "sandbox", "--user", "Data", "--schema", "PCTrade", "--rows", "40000", "--", sys.executable,
             __file__, variable, str(batch)],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def check(self, variable, text):
        whole = self.outcomes(variable, 0)
        self.assertGreater(whole["batches"], 3)
        for batch in (1, 2, whole["batches"]):
            raised = self.outcomes(variable, batch)
            self.assertEqual(list(raised), list(READERS))
            for name, outcome in raised.items():
                with self.subTest(name, batch=batch):
                    # Later, the rest of the rows may be in buffers already.
                    if batch == 1 or outcome != whole["rows"]:
                        self.assertRegex(str(outcome), text)

    def test_a_killed_helper_is_an_error_in_each_reader(self):
        self.check("RELATIVITYD_DATA_SOCKET", "closed before the (end of the rows|reply)|Connection reset by peer")

    def test_a_killed_daemon_is_an_error_in_each_reader(self):
        self.check("RELATIVITYD_SOCKET", "connection closed during the reply|cannot connect|connection was closed")


def kill(variable, batch):
    """Reads a table by all readers at once, and kills the process behind a socket when each has as many batches. Prints what
    they raise, or their number of rows; for batch 0 those of the whole table."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ[variable])
        victim = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    raised = dict.fromkeys(READERS)
    # All readers and this thread.
    reached, killed = threading.Barrier(len(READERS) + 1), threading.Event()
    messages = _arrow.messages

    def stopped(receive):
        for number, message in enumerate(messages(receive)):
            yield message
            if number == batch:
                reached.wait()
                killed.wait()

    def run(name, rows):
        try:
            raised[name] = len(READERS[name](rows))
        except Exception as error:
            raised[name] = str(error)

    with relativity.open("sample") as server:
        if not batch:
            batches = len(list(server.table("Orders").arrow_messages())) - 1
            print(json.dumps({"batches": batches, "rows": server.count("Orders")}))
            return
        with mock.patch.object(_arrow, "messages", stopped):
            threads = [threading.Thread(target=run, args=[name, server.table("Orders")]) for name in READERS]
            for thread in threads:
                thread.start()
            reached.wait()
            os.kill(victim, signal.SIGKILL)
            killed.set()
            for thread in threads:
                thread.join()
    print(json.dumps(raised))


if __name__ == "__main__":
    kill(sys.argv[1], int(sys.argv[2]))
