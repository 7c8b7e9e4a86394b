// SPDX-License-Identifier: Apache-2.0

/// Decodes keys from the bytes of a terminal, however they are split.
package struct KeyDecoder: Sendable {
    /// A decoder that has read nothing yet.
    package init() {}

    private static let escape: UInt8 = 0x1B
    /// The maximum number of bytes of an escape sequence that are kept. A longer sequence is dropped.
    private static let longest = 32
    /// The length of a mouse report of the oldest form, which no terminal is asked for.
    private static let oldMouseReport = 6

    private var pending: [UInt8] = []
    private var isTooLong = false
    private var isPasting = false

    /// Whether a sequence is incomplete. A lone Escape may be a key: call `flush` if nothing follows soon.
    package var isUndecided: Bool { !pending.isEmpty }

    /// The keys completed by these bytes.
    package mutating func keys(for bytes: [UInt8]) -> [Key] { bytes.compactMap { key(after: $0) } }

    /// Ends the pending sequence: a lone Escape is the Escape key. It also ends a paste, whose end was lost.
    package mutating func flush() -> Key? {
        let isEscape = pending == [Self.escape]
        reset()
        if isEscape { isPasting = false }
        return isEscape ? .escape : nil
    }

    private mutating func reset() { (pending, isTooLong) = ([], false) }

    private mutating func key(after byte: UInt8) -> Key? {
        // Escape always begins a new sequence.
        if byte == Self.escape {
            let isEscape = pending == [Self.escape] && !isPasting
            reset()
            pending = [byte]
            return isEscape ? .escape : nil
        }
        if pending.count < Self.longest { pending.append(byte) } else { isTooLong = true }
        guard pending[0] == Self.escape else { return letter() }
        switch pending[1] {
        case UInt8(ascii: "["):
            if pending.count == 2 { return nil }
            return sequence(byte)
        case UInt8(ascii: "O"):
            if pending.count == 2 || (0x20...0x3F).contains(byte) { return nil }
            return ended(by: byte)
        default:
            // A letter with Alt.
            reset()
            return nil
        }
    }

    /// Handles the next byte of a sequence after `ESC [`.
    private mutating func sequence(_ byte: UInt8) -> Key? {
        switch pending[2] {
        case UInt8(ascii: "M"):
            if pending.count == Self.oldMouseReport { reset() }
            return nil
        // The console of Linux: F1 is `ESC [ [ A`.
        case UInt8(ascii: "["):
            return pending.count == 3 ? nil : ended(by: byte)
        default:
            return (0x20...0x3F).contains(byte) ? nil : ended(by: byte)
        }
    }

    /// Ends a sequence with its last byte, or with a byte that cannot belong to it.
    private mutating func ended(by byte: UInt8) -> Key? {
        let body = Array(pending.dropFirst().dropLast())
        let isComplete = (0x40...0x7E).contains(byte) && !isTooLong
        reset()
        if isComplete { return key(of: body, byte) }
        guard byte < 0x20 || byte >= 0x7F else { return nil }
        pending = [byte]
        return letter()
    }

    /// - Parameter body: the bytes between Escape and the last one.
    private mutating func key(of body: [UInt8], _ last: UInt8) -> Key? {
        if body.starts(with: "[<".utf8) { return isPasting ? nil : Self.mouse(body.dropFirst(2), last) }
        let first = Self.numbers(body.dropFirst()).first ?? 0
        if body.first == UInt8(ascii: "["), last == UInt8(ascii: "~"), first == 200 || first == 201 {
            isPasting = first == 200
            return nil
        }
        guard !isPasting else { return nil }
        if body.starts(with: "[[".utf8) {
            return (0x41...0x45).contains(last) ? .function(Int(last) - 0x40) : nil
        }
        guard last == UInt8(ascii: "~") else { return Self.named[last] }
        return body.first == UInt8(ascii: "[") ? Self.numbered[first] : nil
    }

    /// The keys whose sequences end with a letter. The numbers before it say which modifier keys are down.
    private static let named: [UInt8: Key] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home, 0x50: .function(1),
        0x51: .function(2), 0x52: .function(3), 0x53: .function(4), 0x5A: .backTab,
    ]
    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]

    /// Decodes a report in the form of mode 1006: the button, column and line.
    private static func mouse(_ body: ArraySlice<UInt8>, _ last: UInt8) -> Key? {
        let numbers = numbers(body)
        // `m` is the release of a button.
        guard last == UInt8(ascii: "M"), numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        // Without the bits of Shift, Alt and Control.
        switch numbers[0] & ~0x1C {
        case 0: return .click(column: numbers[1] - 1, line: numbers[2] - 1)
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }

    /// The numbers between semicolons. One that is missing or no number is 0; those above 9,999 are 9,999.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
            part.reduce(0) { value, byte in
                (0x30...0x39).contains(byte) ? min(9_999, value * 10 + Int(byte) - 0x30) : value
            }
        }
    }

    /// Decodes bytes outside escape sequences: UTF-8 or control keys.
    private mutating func letter() -> Key? {
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar):
            pending = []
            return isPasting ? Self.pasted(scalar) : Self.key(for: scalar)
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

    private static func pasted(_ scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: .pasted(" ")
        case ..<0x20, 0x7F..<0xA0: nil
        default: .pasted(scalar)
        }
    }
}
