# SPDX-License-Identifier: Apache-2.0
"""The forms of values, and the names of the API."""

import pathlib
import unittest
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from relativity import quote, services, values

GUID = "00112233-4455-6677-8899-aabbccddeeff"


class ValueTests(unittest.TestCase):
    #: Type, form in the API, value in Python.
    FORMS = [
        ("LargeInt", "9007199254740993", 9007199254740993),
        ("LargeUInt", "18446744073709551615", 2**64 - 1),
        ("Currency", "922337203685477.5807", Decimal("922337203685477.5807")),
        ("Decimal", "-12.50", Decimal("-12.50")),
        ("DateTime", "2026-01-31T08:00:00.123", datetime(2026, 1, 31, 8, 0, 0, 123_000)),
        ("DateTime", "9999-12-31T23:59:59.000", datetime(9999, 12, 31, 23, 59, 59)),
        ("Guid", GUID, UUID(GUID)),
        ("Blob", "AAEC", b"\x00\x01\x02"),
        ("WideString", "Zürich", "Zürich"),
        ("Boolean", True, True),
        ("WideString", None, None),
    ]

    def test_each_type_is_read_and_sent_in_the_form_of_the_api(self):
        for name, form, value in self.FORMS:
            with self.subTest(name):
                self.assertEqual(values.decode(form, name), value)
                self.assertEqual(type(values.decode(form, name)), type(value))
                self.assertEqual(values.encode(value), form)

    def test_a_whole_float_is_a_float(self):
        self.assertIs(type(values.decode(3, "Float")), float)
        row = values.decode_row([3, 4, None], values.converted_columns(["Float", "Integer", "Guid"]))
        self.assertEqual([type(value) for value in row], [float, int, type(None)])

    def test_a_value_that_does_not_fit_stays_as_it_is(self):
        for name, form in [("DateTime", -3.25), ("Guid", "none"), ("Decimal", "x"), ("LargeInt", {}), ("Later", "x")]:
            self.assertEqual(values.decode(form, name), form)

    def test_numbers_and_dates_are_sent_with_all_their_digits(self):
        for value, form in [
            (0.1, "0.1"), (1 / 3, "0.3333333333333333"), (10**18 + 1, "1000000000000000001"), (Decimal("1E+3"), "1000"),
            (Decimal("0.1000"), "0.1000"), (date(2026, 2, 1), "2026-02-01T00:00:00"),
            (datetime(2026, 2, 1, 1, 2, 3, 999_999), "2026-02-01T01:02:03.999"), (bytearray(b"\0"), "AA=="),
        ]:
            self.assertEqual(values.encode(value), form)

    def test_a_value_that_no_field_can_have_is_refused(self):
        zoned = datetime(2026, 1, 1, tzinfo=timezone.utc)
        for value in [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), zoned]:
            with self.assertRaises(ValueError, msg=str(value)):
                values.encode(value)
        for value in [object(), ["x"], {}]:
            with self.assertRaises(TypeError):
                values.encode(value)

    def test_a_blob_takes_bytes_only(self):
        for kind in (bytes, bytearray, memoryview, type(None)):
            values.require(kind, "Blob")
        for kind in (str, int, UUID):
            with self.assertRaisesRegex(TypeError, f"a Blob cannot have a {kind.__name__}"):
                values.require(kind, "Blob")

    def test_numbers_of_pandas_and_numpy_are_sent_as_numbers(self):
        import numpy
        import pandas

        self.assertEqual(values.encode(numpy.int64(7)), "7")
        self.assertEqual(values.encode(numpy.float64(0.1)), "0.1")
        self.assertEqual(values.encode(pandas.Timestamp("2026-01-02 03:04:05")), "2026-01-02T03:04:05.000")
        for value in [pandas.NaT, numpy.float64("nan")]:
            with self.assertRaises(ValueError):
                values.encode(value)

    def test_parameters_have_the_types_of_their_values(self):
        given = [1, 2**40, None, True, Decimal("1.5"), date(2026, 1, 1), b"", 1.5]
        self.assertEqual(
            [(each["type"], each.get("value")) for each in values.parameters(dict(enumerate(given)))],
            [
                ("Integer", "1"), ("LargeInt", str(2**40)), ("WideString", None), ("Boolean", "true"),
                ("Decimal", "1.5"), ("DateTime", "2026-01-01T00:00:00"), ("Blob", ""), ("Float", "1.5"),
            ],
        )

    def test_literals_of_predicates(self):
        for value, literal in [
            (None, "NULL"), (True, "TRUE"), (7, "7"), (1e-7, "1e-07"), (Decimal("12.50"), "12.50"),
            ("it's' OR TRUEPREDICATE", "'it''s'' OR TRUEPREDICATE'"), ("", "''"), (UUID(GUID), f"'{GUID}'"),
            (datetime(2026, 1, 31, 8), "2026-01-31T08:00:00.000"),
        ]:
            self.assertEqual(quote(value), literal)
        with self.assertRaises(TypeError):
            quote(b"x")

    def test_the_api_has_no_type_without_a_form(self):
        document = (pathlib.Path(__file__).parents[2] / "docs/local-api.md").read_text()
        table = document.split("| Type | JSON | Example |")[1].split("\n\n")[0]
        named = {name.strip() for line in table.splitlines()[3:] for name in line.split("|")[1].split(",")}
        known = {*values._CONVERSIONS, *values._TEXTS}
        self.assertEqual(named, known)


class Kind(Enum):
    SMALL = "Small"


@dataclass
class Thing:
    kind: Kind
    parts: "list[Thing] | None"


@dataclass
class Gift(Thing):
    price: Decimal
    more: Any


class StandIn:
    """A server that returns what it is sent."""

    def call(self, service, method, parameters, *, rodl):
        self.sent = (service, method, parameters, rodl)
        return parameters


class ServiceTests(unittest.TestCase):
    STRUCTS = {
        Thing: ("Thing", [("kind", "Kind", Kind), ("parts", "Parts", [Thing])]),
        Gift: ("Gift", [("kind", "Kind", Kind), ("parts", "Parts", [Thing]), ("price", "A Price", Decimal), ("more", "More", None)]),
    }

    def call(self, parameters, kinds):
        service = services.Service(StandIn())
        found = service._call(self.STRUCTS, "<Library/>", "Shop", "Order", parameters, kinds)
        self.assertEqual(service._server.sent[::3], ("Shop", "<Library/>"))
        return service._server.sent[2], found

    def test_structs_and_enums_pass_in_both_directions_with_their_classes(self):
        gift = Gift(Kind.SMALL, None, Decimal("1.50"), [1, "x", None])
        thing = Thing(Kind.SMALL, [gift, Thing(Kind.SMALL, [])])
        sent, found = self.call({"aThing": thing}, [("aThing", Thing)])
        self.assertEqual(found, [thing])
        self.assertEqual(
            sent["aThing"]["Parts"][0],
            {"__type": "Gift", "Kind": "Small", "Parts": None, "A Price": "1.50", "More": [1, "x", None]},
        )

    def test_plain_values_pass_in_both_directions(self):
        values = {
            int: 2**53 + 1, float: 1.5, bool: True, str: "\u00e9", bytes: b"\0\1", UUID: UUID(GUID), Decimal: Decimal("-1.0001"),
            datetime: datetime(2026, 1, 31, 8, 0, 0, 123_000),
        }
        _, found = self.call({kind.__name__: value for kind, value in values.items()}, [(kind.__name__, kind) for kind in values])
        self.assertEqual(found, list(values.values()))

    def test_a_value_that_does_not_fit_stays(self):
        for value, kind in [("1753-01-01?-53688.25", datetime), (7, Kind), ("x", [int]), ("x", Thing), (None, UUID)]:
            self.assertEqual(self.call({"a": value}, [("a", kind)])[1], [value])
        for value, error in [(float("nan"), ValueError), (object(), TypeError), (datetime(2026, 1, 1, tzinfo=timezone.utc), ValueError)]:
            with self.assertRaises(error):
                self.call({"a": value}, [])
