// SPDX-License-Identifier: Apache-2.0

/// Writes DNS messages that a server could send, valid and invalid ones.
struct MessageBytes {
    private(set) var bytes: [UInt8] = []

    /// A header with one question for `a.b`, type PTR, and the given numbers of records.
    init(id: UInt16 = 7, flags: UInt16 = 0x8180, answers: UInt16 = 0, authority: UInt16 = 0) {
        for number in [id, flags, 1, answers, authority, 0] { append(number) }
        bytes += [1, 0x61, 1, 0x62, 0]
        append(12)
        append(1)
    }

    /// A pointer to the name of the question.
    static let question: [UInt8] = [0xC0, 12]

    mutating func append(_ number: UInt16) { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }

    mutating func record(
        _ owner: [UInt8] = question,
        type: UInt16,
        ttl: UInt32 = 60,
        _ content: [UInt8],
        length: Int? = nil
    ) {
        bytes += owner
        append(type)
        append(1)
        append(UInt16(ttl >> 16))
        append(UInt16(truncatingIfNeeded: ttl))
        append(UInt16(length ?? content.count))
        bytes += content
    }
}
