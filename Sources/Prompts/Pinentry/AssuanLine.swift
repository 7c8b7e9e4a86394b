// SPDX-License-Identifier: Apache-2.0

/// One line of a pinentry, without its end (Assuan protocol, "Server responses"). Holds nothing of what a person typed.
enum AssuanLine: Equatable {
    case done
    /// With the code of libgpg-error, without the part that names its source.
    case refused(code: UInt16)
    /// From this byte of the line on.
    case data(from: Int)
    /// A comment, or how things stand.
    case remark
    /// Not expected here.
    case unknown

    /// Of codes, those that tell a person's decision.
    enum Code {
        static let timeout: UInt16 = 62
        static let cancelled: UInt16 = 99
        static let notConfirmed: UInt16 = 114
        static let fullyCancelled: UInt16 = 198
    }

    init(_ line: UnsafeRawBufferPointer) {
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        switch word.count {
        case 0: self = line.isEmpty ? .remark : .unknown
        case 1 where word.first == UInt8(ascii: "D") && line.count > 1: self = .data(from: 2)
        case _ where word.first == UInt8(ascii: "#"), 1 where word.first == UInt8(ascii: "S"): self = .remark
        case _ where word.elementsEqual("OK".utf8): self = .done
        case _ where word.elementsEqual("ERR".utf8):
            let digits = line.dropFirst(4).prefix { $0 != UInt8(ascii: " ") }
            self = Self.number(digits).map { .refused(code: UInt16(truncatingIfNeeded: $0)) } ?? .unknown
        default: self = .unknown
        }
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt32? {
        guard (1...10).contains(digits.count) else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + UInt64(digit & 15)
        }
        return UInt32(exactly: number)
    }
}
