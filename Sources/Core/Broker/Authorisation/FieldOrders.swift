// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import Services

/// Checks that the infos of a GetData contain no SQL text, for every order in which a server may read the fields of a
/// struct.
///
/// A server reads the fields either by name, or the ancestor's fields first and then each class's in the order of
/// declaration. No source proves which of the two it uses, nor the order of the declarations. Therefore every order
/// is tried. SQL text that any order finds counts if that order can read all infos. Bytes after the infos do not
/// matter: a server may ignore them.
struct FieldOrders {
    /// Limit of values that are read in total, which block the loop for some milliseconds.
    private static let mostValues = 1 << 16
    private static let mostDepth = 8
    /// Text that a server may insert into its SQL verbatim.
    static let textsOfSQL: Set<String> = ["Sql", "UserFilter"]

    private let bytes: ByteBuffer
    private var valuesLeft = Self.mostValues

    /// The state of one order of reading.
    private struct Reading: Hashable {
        var place: Int
        /// Whether it found SQL text that can have an effect, or a struct of an unknown class.
        var findsSQL = false
    }

    /// The values, orders or levels exceed a limit.
    private struct LimitExceeded: Error {}

    private init(_ bytes: ByteBuffer) {
        self.bytes = bytes
    }

    /// - Parameter infos: the bytes after the names of the tables.
    static func namesNoSQL(_ infos: ByteBuffer) -> Bool {
        var orders = FieldOrders(infos)
        let type = RemotingType.array(of: .structure(ServiceCatalog.tableRequest))
        guard let ends = try? orders.read(type, from: [Reading(place: infos.readerIndex)], depth: mostDepth) else {
            return false
        }
        return !ends.isEmpty && ends.allSatisfy { !$0.findsSQL }
    }

    /// The readings after the value. A reading that cannot read the value is dropped.
    private mutating func read(
        _ type: RemotingType,
        from readings: Set<Reading>,
        depth: Int,
        isSQL: Bool = false
    ) throws(LimitExceeded) -> Set<Reading> {
        guard depth > 0 else { throw LimitExceeded() }
        var ends: Set<Reading> = []
        for reading in readings {
            guard valuesLeft > 0 else { throw LimitExceeded() }
            valuesLeft -= 1
            switch type {
            case .integer, .boolean, .enumeration: insert(reading, after: 4, into: &ends)
            case .utf8String, .ansiString, .xml: text(reading, width: 1, isSQL: isSQL, into: &ends)
            case .wideString: text(reading, width: 2, isSQL: isSQL, into: &ends)
            case .variant: if let end = variant(reading) { ends.insert(end) }
            case .array(let element): ends.formUnion(try array(of: element, reading, depth: depth - 1))
            case .structure(let className): ends.formUnion(try structure(className, reading, depth: depth - 1))
            // No field of these structs has one of these types.
            case .int64, .double, .dateTime, .currency, .decimal, .guid, .binary: throw LimitExceeded()
            }
        }
        return ends
    }

    private func insert(_ reading: Reading, after count: Int, into ends: inout Set<Reading>) {
        guard count <= bytes.writerIndex - reading.place else { return }
        var reading = reading
        reading.place += count
        ends.insert(reading)
    }

    /// Reads a count and as many units of `width` bytes. A negative count either ends the reading or means none.
    private func text(_ reading: Reading, width: Int, isSQL: Bool, into ends: inout Set<Reading>) {
        guard let count = number(reading.place) else { return }
        let length = 4 + max(0, count) * width
        guard length <= bytes.writerIndex - reading.place else { return }
        var reading = reading
        if isSQL, saysSomething(reading.place + 4, length - 4, width: width) { reading.findsSQL = true }
        insert(reading, after: length, into: &ends)
    }

    /// Whether a text can have an effect as SQL. If other values are read as text, the text has control characters
    /// with class names, single characters and at most one column name between them. Such a text can neither call a
    /// function nor query more.
    private func saysSomething(_ place: Int, _ length: Int, width: Int) -> Bool {
        guard length > width, let text = bytes.viewBytes(at: place, length: length) else { return false }
        // A longer text would take too long to search, and no request that only reads contains one.
        guard length <= Self.textBytes else { return true }
        let words = text.split { $0 < 0x20 }.filter { word in
            word.count > Self.nameBytes
                || !Self.classNames.contains { $0.contains(String(decoding: word, as: UTF8.self)) }
        }
        if words.contains(where: { $0.elementsEqual("(".utf8) }), words.contains(where: { $0.elementsEqual(")".utf8) })
        {
            return true
        }
        let names = words.filter { $0.count > 1 }
        return names.count > 1 || !names.allSatisfy { $0.allSatisfy(Self.isOfName) }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private mutating func array(
        of element: RemotingType,
        _ reading: Reading,
        depth: Int
    ) throws(LimitExceeded) -> Set<Reading> {
        guard let flag = flag(reading.place) else { return [] }
        var reading = reading
        reading.place += 1
        guard flag else { return [reading] }
        // An element takes at least one byte.
        guard let count = number(reading.place), count <= bytes.writerIndex - reading.place else { return [] }
        reading.place += 4
        var readings: Set = [reading]
        for _ in 0..<max(0, count) where !readings.isEmpty {
            readings = try read(element, from: readings, depth: depth)
        }
        return readings
    }

    private mutating func structure(
        _ declared: String,
        _ reading: Reading,
        depth: Int
    ) throws(LimitExceeded) -> Set<Reading> {
        guard let flag = flag(reading.place) else { return [] }
        var reading = reading
        reading.place += 1
        guard flag else { return [reading] }
        guard let count = number(reading.place), (0...Self.nameBytes).contains(count),
            let name = bytes.getString(at: reading.place + 4, length: count)
        else { return [] }
        reading.place += 4 + count
        guard let levels = Self.levels[WireName(name)] else {
            // A class of the server: the fields that it reads are unknown.
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return [] }
            reading.findsSQL = true
            reading.place = bytes.writerIndex
            return [reading]
        }
        var ends = try inAnyOrder(levels, reading, depth: depth)
        if levels.count > 1 {
            var readings: Set = [reading]
            for field in levels.joined().sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
                readings = try read(field, from: readings, depth: depth)
            }
            ends.formUnion(readings)
        }
        return ends
    }

    private static let nameBytes = 256
    private static let textBytes = 16 << 10

    private mutating func read(
        _ field: NamedType,
        from readings: Set<Reading>,
        depth: Int
    ) throws(LimitExceeded) -> Set<Reading> {
        try read(field.type, from: readings, depth: depth, isSQL: Self.textsOfSQL.contains(field.name))
    }

    /// Tries every order of each level's fields. The levels are read one after another.
    private mutating func inAnyOrder(
        _ levels: [[NamedType]],
        _ start: Reading,
        depth: Int
    ) throws(LimitExceeded) -> Set<Reading> {
        var readings: Set = [start]
        for fields in levels {
            // The index has one bit for each field that was read, so that later states have larger numbers.
            var states = [Set<Reading>](repeating: [], count: 1 << fields.count)
            states[0] = readings
            for state in states.indices where !states[state].isEmpty {
                for (index, field) in fields.enumerated() where state & 1 << index == 0 {
                    states[state | 1 << index].formUnion(try read(field, from: states[state], depth: depth))
                }
            }
            readings = states[states.count - 1]
        }
        return readings
    }

    private static let classNames =
        [ServiceCatalog.tableRequest, "DataParameter", "ColumnSorting"] + ServiceCatalog.tableRequestHeirs.keys

    /// The fields of each class by level, the ancestor's first.
    private static let levels: [WireName: [[NamedType]]] = {
        var levels: [WireName: [[NamedType]]] = [
            WireName(ServiceCatalog.tableRequest): [ServiceCatalog.tableRequestFields]
        ]
        for (className, own) in ServiceCatalog.tableRequestHeirs {
            levels[WireName(className)] = [ServiceCatalog.tableRequestFields, own]
        }
        for className in ["DataParameter", "ColumnSorting"] {
            levels[WireName(className)] = ServiceCatalog.structs.fields(of: className).map { [$0] }
        }
        return levels
    }()

    private func variant(_ reading: Reading) -> Reading? {
        guard let rest = bytes.getSlice(at: reading.place, length: bytes.writerIndex - reading.place) else {
            return nil
        }
        var reader = BinMessageReader(rest)
        guard (try? reader.readVariant()) != nil else { return nil }
        return Reading(place: bytes.writerIndex - reader.remaining, findsSQL: reading.findsSQL)
    }

    private func number(_ place: Int) -> Int? {
        bytes.getInteger(at: place, endianness: .little, as: Int32.self).map(Int.init)
    }

    private func flag(_ place: Int) -> Bool? {
        bytes.getInteger(at: place, as: UInt8.self).map { $0 != 0 }
    }
}
