// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import NIOCore
import TestSupport
import Testing

/// Programs of others read Arrow, and refuse a stream that failed.
@Suite(
    "Readers of Arrow",
    .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the readers in Python"), "scripts/python-env.sh"),
    .timeLimit(.minutes(3))
)
struct ArrowReaderTests {
    /// Every type with cells that have a text in JSON. A Cursor has those of a Blob.
    private static let types = DataType.allCases.filter { $0 != .unknown && $0 != .cursor }

    private static func value(_ type: DataType, _ random: inout SeededRandom) throws -> DataValue {
        if Int.random(in: 0..<8, using: &random) == 0 { return .null }
        let bits = random.next()
        switch type {
        case .boolean: return .boolean(bits & 1 == 1)
        case .byte: return .integer(Int64(UInt8(truncatingIfNeeded: bits)))
        case .shortInt: return .integer(Int64(Int8(truncatingIfNeeded: bits)))
        case .word: return .integer(Int64(UInt16(truncatingIfNeeded: bits)))
        case .smallInt: return .integer(Int64(Int16(truncatingIfNeeded: bits)))
        case .integer, .autoInc: return .integer(Int64(Int32(truncatingIfNeeded: bits)))
        case .cardinal: return .integer(Int64(UInt32(truncatingIfNeeded: bits)))
        case .largeInt, .largeAutoInc: return .integer(Int64(bitPattern: bits))
        case .largeUInt: return .unsigned(bits)
        case .singleFloat: return .float(Double(Float(Int32(truncatingIfNeeded: bits)) / 1000))
        case .float: return .float(Double(Int64(bitPattern: bits)) / 1e9)
        case .currency: return .currency(scaled: bits % 5 == 0 ? .min : Int64(bitPattern: bits))
        case .decimal:
            let whole = Int64(bitPattern: bits) / 1000
            let text = bits % 5 == 0 ? "\(whole)" : "\(whole).\(bits % 100_000)"
            return .decimal(try #require(DataDecimal(text)))
        case .dateTime:
            // The first and the last millisecond of the years that have times, and any between.
            if bits % 9 == 0 { return .dateTime(days: -693_593) }
            if bits % 9 == 1 { return .dateTime(days: 2_958_465 + 86_399_999.0 / 86_400_000) }
            let milliseconds = Double(bits % (2_958_465 * 86_400_000))
            return .dateTime(days: bits % 9 == 2 ? -Double(bits % 693_000) : milliseconds / 86_400_000)
        case .guid: return .text("3f2504e0-4f89-11d3-9a0c-0305e82c33\(10 + bits % 90)")
        case .blob, .cursor, .unknown:
            return .bytes(ByteBuffer(bytes: (0..<bits % 40).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case .string, .memo, .fixedChar: return .text(String("aé\"\u{0}ß,".prefix(Int(bits % 7))))
        case .wideString, .wideMemo, .fixedWideChar, .xml: return .text(String("a中\n😀é\u{0}".prefix(Int(bits % 7))))
        }
    }

    private static func table(rows: Int, seed: UInt64) throws -> DataTable {
        var random = SeededRandom(seed: seed)
        var table = try DataTable(name: "T", columns: types.map { DataColumn("\($0)", $0) })
        for _ in 0..<rows { try table.append(try types.map { try value($0, &random) }) }
        return table
    }

    private static func write(
        _ tables: [DataTable],
        to name: String,
        in folder: TemporaryDirectory,
        _ make: (OutputSink) -> any RowConsumer
    ) async throws {
        let sink = OutputSink()
        var writer = make(sink)
        try await writer.begin(tables[0].head)
        for table in tables { try await writer.add(table.rows, nil) }
        try await writer.finish()
        folder.write(sink.takeBytes(), to: name)
    }

    private static func python(in folder: TemporaryDirectory, _ script: String) async throws {
        try await Command([Sources.python, "-"]).succeed(
            input: "import os\nos.chdir('\(folder.path)')\n\(script)",
            deadline: .seconds(120)
        )
    }

    @Test("PyArrow, Polars, DuckDB and nanoarrow read the values that JSON has, in a stream and in a file")
    func values() async throws {
        let folder = TemporaryDirectory()
        var options = FormatOptions()
        options.numbersAsText = true
        options.decimals.rule = .fixed(precision: 38, scale: 6)
        // The sizes of a table without rows, of one and of several batches.
        for (name, counts) in [("none", [0]), ("one", [1]), ("some", [7, 0, 500]), ("many", [3000, 4000])] {
            let tables = try counts.enumerated().map { try Self.table(rows: $1, seed: UInt64(31 + $0)) }
            try await Self.write(tables, to: "\(name).json", in: folder) { [options] in
                JSONRowWriter($0, .array, options)
            }
            try await Self.write(tables, to: "\(name).arrows", in: folder) { [options] in ArrowWriter($0, options) }
            try await Self.write(tables, to: "\(name).arrow", in: folder) { [options] in
                ArrowWriter($0, options, isFile: true)
            }
        }
        try await Self.python(
            in: folder,
            """
            import base64, datetime, decimal, json
            import duckdb, nanoarrow, polars
            import pyarrow as pa

            def decode(value, type):
                if value is None: return None
                if type in ('currency', 'decimal'): return decimal.Decimal(value)
                if type == 'dateTime': return datetime.datetime.fromisoformat(value)
                if type == 'blob': return base64.b64decode(value)
                if type.startswith('large'): return int(value)
                return value

            types = {
                'boolean': pa.bool_(), 'byte': pa.uint8(), 'shortInt': pa.int8(), 'word': pa.uint16(),
                'smallInt': pa.int16(), 'integer': pa.int32(), 'autoInc': pa.int32(), 'cardinal': pa.uint32(),
                'largeInt': pa.int64(), 'largeAutoInc': pa.int64(), 'largeUInt': pa.uint64(),
                'singleFloat': pa.float32(), 'float': pa.float64(), 'currency': pa.decimal128(19, 4),
                'decimal': pa.decimal128(38, 6), 'dateTime': pa.timestamp('ms'), 'blob': pa.large_binary(),
            }
            for name in ('none', 'one', 'some', 'many'):
                expected = [
                    {key: decode(value, key) for key, value in row.items()} for row in json.load(open(name + '.json'))
                ]
                for row in expected:
                    if row['singleFloat'] is not None:
                        row['singleFloat'] = pa.scalar(row['singleFloat'], pa.float32()).as_py()
                stream = pa.ipc.open_stream(name + '.arrows')
                table = stream.read_all()
                table.validate(full=True)
                assert all(field.type == types.get(field.name, pa.large_string()) for field in table.schema), table.schema
                assert table.to_pylist() == expected, name
                assert (name != 'many') == (len(table.to_batches()) <= 1), name
                file = pa.ipc.open_file(name + '.arrow')
                assert file.read_all() == table and file.num_record_batches == len(table.to_batches())
                for frame in (polars.read_ipc_stream(name + '.arrows'), polars.read_ipc(name + '.arrow')):
                    assert frame.to_dicts() == expected, name
                with nanoarrow.ArrayStream.from_path(name + '.arrows') as stream:
                    small = stream.read_all()
                assert pa.table(small) == table, name
                # Version 0.9 makes positive numbers of negative decimals, so only Arrow has compared these.
                decimals = ('currency', 'decimal')
                for found, row in zip(small.to_pylist(), expected, strict=True):
                    assert {key: found[key] for key in found if key not in decimals} == {
                        key: row[key] for key in row if key not in decimals
                    }, name
                source = table
                found = duckdb.sql('select * from source')
                assert [dict(zip(found.columns, row)) for row in found.fetchall()] == expected, name
            """
        )
    }

    @Test("a Decimal of unknown digits is text, float rounds, and NaN is a value")
    func rules() async throws {
        let folder = TemporaryDirectory()
        let columns: [(String, DataType)] = [("d", .decimal), ("c", .currency), ("f", .float)]
        let table = try DataTable.table(
            columns,
            [
                [.decimal(try #require(DataDecimal("1.50"))), .currency(scaled: 12_345), .float(.nan)],
                [.null, .null, .null],
            ]
        )
        var rounding = FormatOptions()
        rounding.decimals.rule = .float
        try await Self.write([table], to: "text", in: folder) { ArrowWriter($0) }
        try await Self.write([table], to: "float", in: folder) { [rounding] in ArrowWriter($0, rounding) }
        try await Self.python(
            in: folder,
            """
            import math
            import pyarrow as pa
            text, number = (pa.ipc.open_stream(name).read_all().to_pydict() for name in ('text', 'float'))
            assert text['d'] == ['1.50', None] and str(text['c'][0]) == '1.2345' and math.isnan(text['f'][0]), text
            assert number['d'] == [1.5, None] and number['c'] == [1.2345, None], number
            """
        )
    }

    @Test("readers refuse a stream that failed, before its schema or after rows")
    func failed() async throws {
        let folder = TemporaryDirectory()
        let table = try Self.table(rows: 5000, seed: 3)
        for (name, rows) in [("early", 0), ("late", 5000)] {
            let sink = OutputSink()
            var options = FormatOptions()
            options.decimals.rule = .float
            var writer = ArrowWriter(sink, options)
            if rows > 0 {
                try writer.begin(table.head)
                try writer.add(table.rows, nil)
            }
            await writer.fail()
            folder.write(sink.takeBytes(), to: name)
        }
        try await Self.python(
            in: folder,
            """
            import polars
            import pyarrow as pa
            for name in ('early', 'late'):
                for read in (lambda: pa.ipc.open_stream(name).read_all(), lambda: polars.read_ipc_stream(name)):
                    try:
                        read()
                    except (OSError, polars.exceptions.PolarsError) as error:
                        print(error)
                    else:
                        raise AssertionError(name)
            reader = pa.ipc.open_stream('late')
            assert reader.read_next_batch().num_rows > 0
            """
        )
    }
}
