# SPDX-License-Identifier: Apache-2.0
"""The package against the sample server of `relctl sandbox --user Data --schema PCTrade`. PythonPackageTests also adds
`attic`, a hidden server without a login."""

import pathlib
import unittest
import zipfile
from datetime import datetime
from decimal import Decimal
from unittest import mock
from uuid import UUID, uuid4

import duckdb
import pandas
import polars
import pyarrow
import relativity
from relativity import errors, quote


def order(**values):
    return {
        "Number": uuid4(), "Date": datetime(2026, 5, 6, 7, 8, 9, 10_000), "Status": 1, "Type": 1, "Client": 1,
        "Amount": Decimal("12.3400"), **values,
    }


def plain(value):
    """A value as Arrow has it: a Guid is text as the server sends it, and a Decimal without declared digits is text."""
    return str(value).upper() if isinstance(value, UUID | Decimal) else value


class ServerTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(relativity.open("sample"))

    def inserted(self, **values):
        """The key of a new order."""
        with self.server.edit("Orders") as edits:
            edits.insert(order(**values))
        (change,) = edits.result.changes
        return change.key["Id"]

    def row(self, key):
        (row,) = self.server.table("Orders", where=f"Id == {quote(key)}").rows()
        return row


class CallTests(ServerTests):
    def test_a_method_of_a_service_is_called_with_all_of_its_parameters(self):
        results = self.server.call("DataService", "GetTableSchema", {"aTableNameArray": ["Orders"]})
        self.assertEqual(list(results), ["Result"])
        self.assertIn("<Name>Orders</Name>", results["Result"])
        with self.assertRaisesRegex(errors.BadCall, "parameters aTableNameArray"):
            self.server.call("DataService", "GetTableSchema")


class ReadTests(ServerTests):
    def test_the_package_is_that_of_the_wheel_which_has_types_and_no_times(self):
        wheel = relativity.__file__.rsplit("/relativity/", 1)[0]
        self.assertEqual(pathlib.Path(wheel).name, f"relativity-{relativity.__version__}-py3-none-any.whl")
        with zipfile.ZipFile(wheel) as content:
            self.assertEqual({entry.date_time for entry in content.infolist()}, {(1980, 1, 1, 0, 0, 0)})
            self.assertIn("relativity/py.typed", content.namelist())

    def test_servers(self):
        self.assertEqual([(each.name, each.hidden) for each in relativity.servers()], [("sample", False)])
        self.assertEqual({each.name for each in relativity.servers(hidden=True)}, {"sample", "attic"})

    def test_tables_are_read_together(self):
        tables = self.server.read_tables(["Clients", "Orders"])
        self.assertEqual(list(tables), ["Clients", "Orders"])
        for name, rows in tables.items():
            self.assertEqual(rows, self.server.table(name).rows())
        self.assertEqual(self.server.read_tables(["Orders", "Orders"]), {"Orders": tables["Orders"]})
        self.assertEqual(list(self.server.read_tables("Orders")), ["Orders"])

    def test_tables_schema_and_commands(self):
        self.assertIn("Orders", self.server.tables())
        schema = self.server.schema("orders")
        self.assertEqual((schema.name, schema.key, schema.fields[1].type), ("Orders", ["Id"], "Guid"))
        (command,) = self.server.commands()
        self.assertEqual((command.name, command.parameters), ("SetOrderStatus", ["Id", "Status"]))

    def test_each_type_has_its_python_type(self):
        products = self.server.table("Products", sort="Id", limit=6).rows()
        types = {name: {type(row[name]) for row in products} - {type(None)} for name in products[0]}
        self.assertEqual(
            types,
            {
                "Id": {int}, "Code": {UUID}, "Name": {str}, "Group": {int}, "Price": {Decimal}, "Weight": {Decimal},
                "InStock": {bool}, "Picture": {bytes}, "Info": {str},
            },
        )
        self.assertEqual((str(products[0]["Price"]), str(products[0]["Weight"])), ("1431.5100", "4.348"))
        self.assertEqual([row["Picture"] and len(row["Picture"]) for row in products], [None] * 4 + [16, None])
        client = self.server.table("Clients", where="Discount == 7.5", limit=1).rows()[0]
        self.assertEqual(client["Discount"], 7.5)

    def test_conditions_order_fields_and_limit(self):
        orders = self.server.table(
            "Orders", where="Date < 2011-02-01 AND Id != 57", fields=["Id", "Date"], sort=["-Date", "Id"], limit=2
        )
        rows = orders.rows()
        self.assertEqual([list(row) for row in rows], [["Id", "Date"]] * 2)
        self.assertEqual([row["Id"] for row in rows], [56, 54])
        self.assertEqual(rows[0]["Date"], datetime(2011, 1, 31, 13, 13))
        self.assertIn(("filter", "unsent"), [(note.step, note.reason) for note in orders.notes])
        self.assertEqual(self.server.count("Orders", where="Id <= 7"), 7)
        self.assertEqual(self.server.table("Orders", where="Id < 0").rows(), [])

    def test_extra_fields(self):
        lookup = {"name": "State", "fields": ["Status"], "table": "OrderStatus", "keys": ["Id"], "shown": "Name"}
        (row,) = self.server.table(
            "Orders", where="Id == 9", fields=["State", "Twice"], lookups=[lookup], calculated={"Twice": "Id * 2"}
        ).rows()
        self.assertEqual(row["Twice"], 18)
        self.assertIn(row["State"], ["New", "Confirmed", "Shipped", "Paid", "Cancelled"])

    def test_quotes_protect_a_condition(self):
        name = "'; x' OR TRUEPREDICATE"
        self.assertEqual(self.server.count("Clients", where=f"Name == {quote(name)}"), 0)
        price = Decimal("1431.51")
        self.assertEqual(self.server.count("Products", where=f"Price == {quote(price)}"), 1)
        date = datetime(2011, 1, 31, 13, 13)
        self.assertEqual(self.server.count("Orders", where=f"Date == {quote(date)}"), 1)

    def test_statements_have_parameters(self):
        statement = "SELECT Name, Price FROM Products WHERE Price < :most AND Name <> :not"
        rows = self.server.sql(statement, {"most": Decimal("200"), "not": "it's"}, limit=1).rows()
        self.assertEqual([list(row) for row in rows], [["Name", "Price"]])
        self.assertLess(rows[0]["Price"], 200)

    def test_a_frame_has_the_values_and_types_of_the_rows(self):
        table = self.server.table("Products", sort="Id")
        frame, rows = table.to_pandas(), table.rows()
        self.assertEqual(
            {name: str(each) for name, each in frame.dtypes.items()},
            {
                "Id": "Int64", "Code": "object", "Name": "string", "Group": "Int64", "Price": "object",
                "Weight": "object", "InStock": "boolean", "Picture": "object", "Info": "string",
            },
        )
        for record, row in zip(frame.to_dict("records"), rows, strict=True):
            self.assertEqual({name: None if pandas.isna(value) else value for name, value in record.items()}, row)
        self.assertEqual(frame["Price"].sum(), sum(row["Price"] for row in rows))

        orders = self.server.table("Orders", where="Id < 23", sort="Id").to_pandas()
        self.assertEqual(str(orders["Date"].dtype), "datetime64[us]")
        self.assertEqual(str(orders["Worker"].dtype), "Int64")
        self.assertEqual(orders["Worker"].isna().sum(), 2)
        empty = self.server.table("Orders", where="Id < 0").to_pandas()
        self.assertEqual((len(empty), list(empty), str(empty["Id"].dtype)), (0, list(orders), "Int64"))

    def test_decimals_are_floats_on_request(self):
        with relativity.open("sample", decimal=float) as server:
            table = server.table("Products", fields=["Price", "Weight"], sort="Id", limit=6)
            self.assertEqual(table.rows()[0], {"Price": 1431.51, "Weight": 4.348})
            self.assertEqual([str(each) for each in table.to_pandas().dtypes], ["Float64", "Float64"])
            self.assertIsInstance(table.to_pandas()["Price"].mean(), float)
            key = self.inserted(Amount=Decimal("7.5"))
            self.assertEqual(server.command("SetOrderStatus", {"Id": key, "Status": 4}).parameters, {"Amount": 7.5})
        with self.assertRaises(ValueError):
            relativity.open("sample", decimal=int)

    def test_arrow_has_the_values_of_the_rows(self):
        for table in (
            self.server.table("Products", sort="Id"),
            self.server.table("Orders", where="Id < 23", fields=["Id", "Date", "Worker", "Amount", "Number"]),
            self.server.sql("SELECT Name, Price FROM Products WHERE Price < :most", {"most": Decimal(200)}),
            self.server.table("Orders", where="Id < 0"),
        ):
            rows = [{name: plain(value) for name, value in row.items()} for row in table]
            arrow = table.to_arrow()
            arrow.validate(full=True)
            self.assertEqual([[plain(value) for value in row.values()] for row in arrow.to_pylist()],
                             [list(row.values()) for row in rows])
            self.assertEqual(table.to_polars().to_dicts(), arrow.to_pylist())
            with mock.patch.dict("sys.modules", pyarrow=None):
                self.assertEqual(table.to_polars().to_dicts(), arrow.to_pylist(), "without PyArrow")
            frame = table.to_pandas(dtype_backend="pyarrow")
            self.assertEqual((len(frame), list(frame)), (len(rows), arrow.column_names))
            source = table
            self.assertEqual(duckdb.sql("select count(*) from source").fetchall(), [(len(rows),)])
            self.assertEqual(polars.DataFrame(table).to_dicts(), arrow.to_pylist())
        self.assertEqual(arrow.schema.field("Date").type, pyarrow.timestamp("ms"))
        with self.assertRaises(ValueError):
            table.to_pandas(dtype_backend="x")

    def test_an_error_before_the_rows_is_that_of_the_api(self):
        table = self.server.table("Orders", where="Id == == 3")
        for read in (table.to_arrow, table.to_polars, lambda: pyarrow.table(table)):
            with self.assertRaises(errors.BadPredicate) as predicate:
                read()
            self.assertEqual(predicate.exception.column, 7)
        with relativity.open("sample", decimal=float) as server:
            prices = server.table("Products", fields=["Price", "Weight"], sort="Id", limit=1)
            self.assertEqual(prices.to_arrow().to_pylist(), [{"Price": 1431.51, "Weight": 4.348}])

    def test_a_value_that_does_not_fit_ends_the_stream_with_its_error(self):
        parameters = self.server._parameters({"table": "Products", "fields": ["Id", "Weight"], "decimal": "3,3"})
        with self.assertRaisesRegex(errors.BadData, "Weight") as failure, self.server._pool.connection() as connection:
            list(connection.arrow("org.relativityd.Data.Read", parameters))
        self.assertGreater(failure.exception.row, 0)

    def test_a_server_and_its_rows_show_themselves(self):
        self.assertEqual(repr(self.server), "<Server 'sample', service 'DataService'>")
        shown = self.server.table("Clients", sort="Id")._repr_html_()
        self.assertEqual(shown.count("<tr>"), 21)
        self.assertIn("The first 20 rows.", shown)

    def test_a_frame_of_values_that_do_not_fit_is_of_objects(self):
        fields = [{"name": "Date", "type": "DateTime"}, {"name": "Id", "type": "Integer"}]
        replies = [{"fields": fields}, {"rows": [["2026-01-01T00:00:00", 1], [-3.25, "x"]]}, {"count": 2}]
        with mock.patch("relativity._varlink.Connection.stream", return_value=iter(replies)):
            frame = self.server.table("A").to_pandas()
        self.assertEqual([str(each) for each in frame.dtypes], ["object", "object"])
        self.assertEqual(frame.values.tolist(), [[datetime(2026, 1, 1), 1], [-3.25, "x"]])

    def test_a_command_returns_its_parameters(self):
        key = self.inserted(Amount=Decimal("7.5"))
        result = self.server.command("SetOrderStatus", {"Id": key, "Status": 4})
        self.assertEqual((result.affected, result.parameters), (1, {"Amount": Decimal("7.5")}))
        self.assertEqual(self.row(key)["Status"], 4)

    def test_errors_have_their_members(self):
        with self.assertRaises(errors.BadPredicate) as predicate:
            self.server.table("Orders", where="Id == == 3").rows()
        self.assertEqual(predicate.exception.column, 7)
        with self.assertRaises(errors.FieldUnknown) as field:
            self.server.count("Orders", where="Nonsense == 3")
        self.assertEqual(field.exception.field, "Nonsense")
        with self.assertRaises(errors.TableUnknown) as table:
            self.server.schema("Nonsense")
        self.assertEqual(table.exception.table, "Nonsense")
        with self.assertRaises(errors.EndpointNotFound) as endpoint:
            relativity.open("none")
        self.assertEqual(endpoint.exception.endpoint, "none")
        with self.assertRaises(errors.LoginNeeded):
            relativity.open("attic")
        with self.assertRaises(errors.InvalidParameter) as parameter:
            relativity.open("sample", schema="a", service="b")
        self.assertEqual(parameter.exception.parameter, "server.schema")
        with self.assertRaisesRegex(errors.InvalidParameter, "'limit' is not valid: it is a number from 0 on"):
            self.server.table("Orders", limit=-1).rows()
        for wrong in (None, 5):
            with self.assertRaisesRegex(TypeError, "name a server or a login"):
                relativity.open(wrong)


class EditTests(ServerTests):
    def test_all_values_come_back_as_they_were_written(self):
        product = {
            "Code": uuid4(), "Name": "Zürich 'x'", "Group": 1, "Price": Decimal("-900719925474.0993"),
            "Weight": Decimal("0.001"), "InStock": False, "Picture": bytes(range(256)), "Info": "a\nb",
        }
        with self.server.edit("Products") as edits:
            edits.insert(product)
        (change,) = edits.result.changes
        self.assertEqual((change.action, change.outcome, change.new["Price"]), ("insert", "accepted", product["Price"]))
        key = change.key["Id"]
        (row,) = self.server.table("Products", where=f"Id == {key}").rows()
        self.assertEqual(row, product | {"Id": key})
        with self.server.edit("Products") as edits:
            edits.update({"Id": key}, {"Picture": None, "Info": None, "Weight": Decimal("2.5")})
        self.assertEqual(edits.result.changes[0].old["Picture"], product["Picture"])
        with self.server.edit("Products") as edits:
            edits.delete(key, expected={"Picture": None, "Weight": Decimal("2.5")})
        self.assertEqual(self.server.count("Products", where=f"Id == {key}"), 0)

    def test_a_new_order_and_its_details_are_one_call(self):
        with self.server.edit("Orders") as edits:
            edits.insert(order())
            for product in (1, 2):
                detail = {"Order": -1, "Product": product, "Quantity": 1, "Price": 5, "Total": 5}
                edits.insert(detail, table="OrderDetails")
        self.assertEqual([change.outcome for change in edits.result.changes], ["accepted"] * 3)
        key = edits.result.changes[0].key["Id"]
        self.assertGreater(key, 0)
        self.assertEqual(self.server.count("OrderDetails", where=f"[Order] == {key}"), 2)

    def test_rows_can_be_found_by_a_condition(self):
        keys = [self.inserted(Amount=Decimal("0.0001")) for _ in range(2)]
        with self.server.edit("Orders") as edits:
            edits.update_where("Amount == 0.0001", {"Status": 5})
        self.assertEqual([self.row(key)["Status"] for key in keys], [5, 5])
        edits = self.server.edit("Orders", limit=1)
        edits.delete_where("Amount == 0.0001")
        with self.assertRaises(errors.EditRefused) as refused:
            edits.apply()
        self.assertEqual(refused.exception.reason, "tooManyRows")
        with self.server.edit("Orders") as edits:
            edits.delete_where("Amount == 0.0001")
        self.assertEqual([change.action for change in edits.result.changes], ["delete"] * 2)

    def test_nothing_is_applied_after_an_exception_or_by_a_preview(self):
        key = self.inserted()
        with self.assertRaises(ZeroDivisionError), self.server.edit("Orders") as edits:
            edits.delete(key)
            edits.delete(1 // 0)
        self.assertIsNone(edits.result)
        edits = self.server.edit("Orders")
        self.assertEqual(edits.preview(), [])
        edits.update(key, {"Status": 2})
        (change,) = edits.preview()
        self.assertEqual((change.outcome, change.old, change.new), ("pending", {"Status": 1}, {"Status": 2}))
        self.assertEqual(self.row(key)["Status"], 1)
        self.assertTrue(edits.apply().ok)
        self.assertEqual(self.row(key)["Status"], 2)
        self.assertEqual(edits.apply().changes, [], "they are applied once")

    def test_more_edits_than_a_request_can_have_are_applied_in_one_call_or_none_of_them(self):
        with mock.patch.object(relativity.server._varlink, "REQUEST_BYTES", 4_000):
            for edits in (self.server.edit("Orders", pending="new"), self.server.edit("Orders")):
                for _ in range(30):
                    edits.insert(order(Amount=Decimal("0.0077")))
                self.assertEqual([change.outcome for change in edits.preview()], ["pending"] * 30)
                self.assertEqual(self.server.pending_sets(), [])
            edits.delete(-99)
            with self.assertRaises(errors.EditRefused) as refused:
                edits.apply()
            self.assertEqual((refused.exception.edit, refused.exception.reason), (30, "noRow"))
            self.assertEqual(self.server.count("Orders", where="Amount == 0.0077"), 0)
            edits._edits.pop()
            result = edits.apply()
            self.assertTrue(result.ok, result)
            self.assertEqual((len(result.changes), result.revision), (30, None))
            self.assertEqual(self.server.pending_sets(), [], "the set of the edits is removed")

            keys = [change.key["Id"] for change in result.changes]
            with self.server.edit("Orders", pending="long") as edits:
                for key in keys * 2:
                    edits.update(key, {"Status": 2, "Client": 1})
            kept = self.server.pending("long")
            self.assertEqual((edits.result.revision, len(kept.changes)), (kept.revision, 30))
            with kept.edit("Orders") as edits:
                for key in keys * 2:
                    edits.update(key, {"Status": 3, "Client": 1})
                with self.assertRaisesRegex(errors.RequestTooLong, "preview them in parts"):
                    edits.preview()
            self.assertEqual(kept.revision, edits.result.revision)
            self.assertTrue(kept.apply().ok)
            with self.assertRaises(errors.RequestTooLong), self.server.edit("Orders") as edits:
                edits.update(keys[0], {"Number": "x" * 4_000})
        with self.server.edit("Orders") as edits:
            for key in keys:
                self.assertEqual(self.row(key)["Status"], 3)
                edits.delete(key)

    def test_a_refused_edit_changes_nothing(self):
        key = self.inserted()
        with self.assertRaises(errors.EditRefused) as refused, self.server.edit("Orders") as edits:
            edits.update(key, {"Status": 2})
            edits.update(key, {"Amount": 3}, expected={"Status": 4})
        self.assertEqual((refused.exception.edit, refused.exception.reason), (1, "notExpected"))
        self.assertEqual((refused.exception.table, refused.exception.field), ("Orders", "Status"))
        self.assertEqual(self.row(key)["Status"], 1)
        with self.assertRaisesRegex(ValueError, "no table"):
            self.server.edit().delete(1)

    def test_a_change_that_the_server_rejects_is_not_applied(self):
        with self.assertRaises(relativity.NotApplied) as raised, self.server.edit("Customers") as edits:
            edits.insert({"Id": "PARIS", "Name": "Twice"})
        (change,) = raised.exception.result.changes
        self.assertEqual((change.outcome, change.key), ("rejected", {"Id": "PARIS"}))
        self.assertTrue(change.reason)
        self.assertEqual(str(raised.exception), f"1 rejected: Customers 'PARIS': {change.reason[:200]}")

    def test_a_value_of_another_class_than_its_field_is_refused_before_anything_is_sent(self):
        for value in (b"x", bytearray(b"x"), 5.0, Decimal("5"), True, datetime(2026, 1, 1), datetime(2026, 1, 1).date()):
            with self.assertRaisesRegex(TypeError, rf"Clients\.City: a WideString cannot have a {type(value).__name__}"):
                with self.server.edit("Clients") as edits:
                    edits.insert({"Name": "d", "city": value})
            with self.assertRaisesRegex(TypeError, r"row 0, Clients\.City"):
                self.server.table("Clients").upsert([{"Id": 1, "City": value}])
        with self.assertRaisesRegex(TypeError, r"row 0, Clients\.City"):
            self.server.table("Clients").upsert(polars.DataFrame({"Id": [1], "City": [b"x"]}))
        for edit in (
            lambda edits: edits.update(1, {"Discount": b"\xd7\x6d\xf8"}), lambda edits: edits.update(1, {}, expected={"City": 1.5}),
            lambda edits: edits.delete({"Id": b"1234"}),
        ):
            with self.assertRaises(TypeError), self.server.edit("Clients") as edits:
                edit(edits)
        self.assertEqual(self.server.count("Clients", where="Name == 'd'"), 0)
        with self.server.edit("Clients") as edits:
            edits.insert({"Name": "d", "City": 5})
        key = edits.result.changes[0].key["Id"]
        self.assertEqual(edits.result.changes[0].new["City"], "5")
        with self.server.edit("Clients") as edits:
            edits.delete(key)


class PendingTests(ServerTests):
    def test_a_set_is_kept_extended_and_applied(self):
        first, second = self.inserted(), self.inserted()
        with self.server.edit("Orders", pending="day") as edits:
            edits.update(first, {"Status": 2})
        self.assertEqual(edits.result.changes[0].outcome, "pending")
        self.assertEqual(self.row(first)["Status"], 1)
        with self.assertRaises(errors.PendingChanged), self.server.edit("Orders", pending="day") as edits:
            edits.update(second, {"Status": 2})

        pending, other = self.server.pending("day"), self.server.pending("day")
        self.assertEqual([each.name for each in self.server.pending_sets()], ["day"])
        with pending.edit("Orders") as edits:
            edits.update(second, {"Amount": Decimal("1.5")})
        self.assertEqual([change.key["Id"] for change in pending.changes], [first, second])
        with self.assertRaises(errors.PendingChanged) as changed:
            other.apply()
        self.assertEqual(changed.exception.revision, pending.revision)

        with self.server.edit("Orders") as edits:
            edits.update(second, {"Amount": Decimal("2.5")})
        result = pending.apply()
        self.assertFalse(result.ok)
        (conflict,) = pending.changes
        self.assertEqual((conflict.outcome, conflict.conflict), ("conflict", "changed"))
        self.assertEqual(conflict.base, {"Amount": Decimal("12.34")})
        self.assertEqual(conflict.theirs, {"Amount": Decimal("2.5")})
        self.assertEqual(pending.check(), [])
        self.assertTrue(pending.apply(force=True).ok)
        self.assertEqual((pending.revision, pending.changes), (None, []))
        self.assertEqual((self.row(first)["Status"], self.row(second)["Amount"]), (2, Decimal("1.5")))
        self.assertEqual(self.server.pending_sets(), [])

    def test_changes_can_be_dropped(self):
        with self.server.edit("Workers", pending="other") as edits:
            for name in ("Ada", "Ben"):
                edits.insert({"FirstName": name, "LastName": "Test"})
        pending = self.server.pending("other")
        pending.drop(pending.changes[:1])
        self.assertEqual([change.new["FirstName"] for change in pending.changes], ["Ben"])
        pending.drop()
        with self.assertRaises(errors.PendingNotFound) as raised:
            self.server.pending("other")
        self.assertEqual(raised.exception.pending, "other")


class WatchTests(ServerTests):
    def test_rows_that_change_are_found(self):
        watch = self.server.watch("Customers", every=1, fields=["City", "Id", "Name"])
        states = self.server.watch("Customers", every=1, states=True)
        self.assertEqual([next(states).change for _ in range(3)], ["ready", "busy", "ready"])
        named = self.server.watch("Customers", every=1, key=["name", "Id"], where="Id == 'WATCH'")
        with self.server.edit("Customers") as edits:
            edits.insert({"Id": "WATCH", "Name": "New", "City": "Bern"})
        row = {"Id": "WATCH", "Name": "New", "City": "Bern"}
        self.assertEqual(next(watch), relativity.Event("inserted", row))
        self.assertEqual(next(named), relativity.Event("inserted", row))
        with self.server.edit("Customers") as edits:
            edits.update("WATCH", {"City": "Basel"})
        self.assertEqual(next(watch), relativity.Event("changed", {**row, "City": "Basel"}))
        self.assertEqual(next(named), relativity.Event("changed", {**row, "City": "Basel"}))
        with self.server.edit("Customers") as edits:
            edits.delete("WATCH")
        self.assertEqual(next(watch), relativity.Event("removed", {"Id": "WATCH"}))
        self.assertEqual(next(named), relativity.Event("removed", {"Name": "New", "Id": "WATCH"}))
        named.close()
        watch.close()
        states.close()
        with self.assertRaises(errors.ServerException) as raised:
            self.server.watch("Nonsense")
        self.assertIn("Nonsense", raised.exception.text)
