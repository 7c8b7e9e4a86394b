// SPDX-License-Identifier: Apache-2.0

/// Decodes keys from the bytes of a terminal, however they are split.
package struct KeyDecoder: Sendable {
    /// A decoder that has read nothing yet.
    package init() {}

    private static let escape: UInt8 = 0x1B
    /// The maximum length of an escape sequence. Longer ones are dropped.
    private static let longest = 16

    private var pending: [UInt8] = []

    /// Whether a sequence is incomplete. A lone Escape may be a key: call `flush` if nothing follows soon.
    package var isUndecided: Bool { !pending.isEmpty }

    /// The keys completed by these bytes.
    package mutating func keys(for bytes: [UInt8]) -> [Key] { bytes.compactMap { key(after: $0) } }

    /// Ends the pending sequence: a lone Escape is the Escape key.
    package mutating func flush() -> Key? {
        defer { pending = [] }
        return pending == [Self.escape] ? .escape : nil
    }

    private mutating func key(after byte: UInt8) -> Key? {
        // Escape always begins a new sequence.
        if byte == Self.escape {
            defer { pending = [byte] }
            return pending == [Self.escape] ? .escape : nil
        }
        pending.append(byte)
        guard pending[0] == Self.escape else { return letter() }
        guard pending.count > 1 else { return nil }
        let isSequence = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
        if isSequence, pending.count == 2 { return nil }
        // Final bytes; parameters are below this range.
        if isSequence, !(0x40...0x7E).contains(byte), pending.count < Self.longest { return nil }
        defer { pending = [] }
        return isSequence ? Self.named[Array(pending.dropFirst(2))] : nil
    }

    private static let named: [[UInt8]: Key] = [
        Array("A".utf8): .up, Array("B".utf8): .down, Array("H".utf8): .home, Array("F".utf8): .end,
        Array("1~".utf8): .home, Array("7~".utf8): .home, Array("4~".utf8): .end, Array("8~".utf8): .end,
        Array("5~".utf8): .pageUp, Array("6~".utf8): .pageDown, Array("3~".utf8): .delete,
        Array("C".utf8): .right, Array("D".utf8): .left,
    ]

    /// Decodes bytes outside escape sequences: UTF-8 or control keys.
    private mutating func letter() -> Key? {
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar):
            pending = []
            return Self.key(for: scalar)
        default:
            // The first bytes of an incomplete UTF-8 sequence.
            let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : pending[0] >= 0xC0 ? 2 : 1
            if pending.count >= length { pending = [] }
            return nil
        }
    }

    private static func key(for scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Unicode.Scalar(UInt8(scalar.value + 0x60)))
        case ..<0x20, 0x80..<0xA0: nil
        default: .text(scalar)
        }
    }
}

/// A key that was pressed.
package enum Key: Hashable, Sendable {
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab, backspace, delete, insert
    /// A letter with the Control key.
    case control(Unicode.Scalar)
    /// A typed character; never a control character.
    case text(Unicode.Scalar)
    /// F1 to F12.
    case function(Int)
    /// A click of the left button at a cell, counted from 0.
    case click(column: Int, line: Int)
    /// A step of the wheel.
    case wheelUp, wheelDown
}
