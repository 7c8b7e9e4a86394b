// SPDX-License-Identifier: Apache-2.0

/// Tells keys from the bytes that a terminal sends for them, however these are cut.
struct TopKeyDecoder {
    private static let escape: UInt8 = 0x1B
    /// No key has a longer sequence; what goes on is dropped.
    private static let longest = 16

    private var pending: [UInt8] = []

    /// An Escape has come that may be the beginning of another key: `flush` when nothing follows soon.
    var isUndecided: Bool { !pending.isEmpty }

    /// The keys that are whole now.
    mutating func keys(for bytes: [UInt8]) -> [TopKey] { bytes.compactMap { key(after: $0) } }

    /// Nothing follows: a lone Escape is the key of this name.
    mutating func flush() -> TopKey? {
        defer { pending = [] }
        return pending == [Self.escape] ? .escape : nil
    }

    private mutating func key(after byte: UInt8) -> TopKey? {
        // Whatever was begun, an Escape begins anew.
        if byte == Self.escape {
            defer { pending = [byte] }
            return pending == [Self.escape] ? .escape : nil
        }
        pending.append(byte)
        guard pending[0] == Self.escape else { return letter() }
        guard pending.count > 1 else { return nil }
        let isSequence = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
        if isSequence, pending.count == 2 { return nil }
        // Parameters are below these.
        if isSequence, !(0x40...0x7E).contains(byte), pending.count < Self.longest { return nil }
        defer { pending = [] }
        return isSequence ? Self.named[Array(pending.dropFirst(2))] : nil
    }

    private static let named: [[UInt8]: TopKey] = [
        Array("A".utf8): .up, Array("B".utf8): .down, Array("H".utf8): .home, Array("F".utf8): .end,
        Array("1~".utf8): .home, Array("7~".utf8): .home, Array("4~".utf8): .end, Array("8~".utf8): .end,
        Array("5~".utf8): .pageUp, Array("6~".utf8): .pageDown, Array("3~".utf8): .backspace,
    ]

    /// Of bytes outside of sequences, UTF-8 or keys of their own.
    private mutating func letter() -> TopKey? {
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar):
            pending = []
            return Self.key(for: scalar)
        default:
            // The first bytes of a letter that is not whole yet.
            let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : pending[0] >= 0xC0 ? 2 : 1
            if pending.count >= length { pending = [] }
            return nil
        }
    }

    private static func key(for scalar: Unicode.Scalar) -> TopKey? {
        switch scalar.value {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case ..<0x20, 0x80..<0xA0: nil
        default: .text(scalar)
        }
    }
}
