// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Discovery

/// Forged answers of a hostile server: messages with records that may be unrelated, and with changed bytes.
enum MadeUpAnswer {
    /// The client's result for a random message in reply to a question.
    static func result(
        to question: DNSQuestion,
        using random: inout SeededRandom
    ) -> Result<DNSAnswer, DNSError> {
        if Int.random(in: 0..<40, using: &random) == 0 { return .failure(.silence) }
        var bytes = message(to: question, using: &random)
        if Int.random(in: 0..<10, using: &random) == 0 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
        }
        do throws(DNSError) {
            let reply = try DNSReply(parsing: bytes)
            guard reply.answers(question, id: 7) else { throw .malformed }
            return .success(try DNSAnswer(reply, to: question))
        } catch {
            return .failure(error)
        }
    }

    private static func message(to question: DNSQuestion, using random: inout SeededRandom) -> [UInt8] {
        let count = Int.random(in: 0...12, using: &random)
        var bytes: [UInt8] = [0, 7, 0x81, 0x80, 0, 1, 0, UInt8(count), 0, 0, 0, 0]
        bytes += question.message(id: 7).dropFirst(12)
        for _ in 0..<count {
            let (type, content) = record(for: question, using: &random)
            let ttl: [UInt8] = [0, 0, .random(in: 0...20, using: &random), .random(in: 0...255, using: &random)]
            bytes += [0xC0, 12, 0, type, 0, 1] + ttl + [0, UInt8(content.count)] + content
        }
        return bytes
    }

    /// A record, usually of the requested type. Its names are those of few hosts and instances, so that they match.
    private static func record(
        for question: DNSQuestion,
        using random: inout SeededRandom
    ) -> (type: UInt8, content: [UInt8]) {
        let letter = UInt8.random(in: 0x61...0x6C, using: &random)
        let kinds: [DNSQuestion.Kind] = [.pointer, .service, .text, .address, .address6]
        let isOther = Int.random(in: 0..<8, using: &random) == 0
        let kind = isOther ? kinds[Int.random(in: 0..<kinds.count, using: &random)] : question.kind
        let content: [UInt8] =
            switch kind {
            case .pointer: [1, letter, 0xC0, 12]
            case .service: [0, 0, 0, 0, 0x1B, letter, 1, letter, 0]
            case .text: [2, letter, 0x3D, 0]
            case .address: [10, 1, 2, letter]
            case .address6: [0xFD] + [UInt8](repeating: 0, count: 14) + [letter]
            }
        return (UInt8(kind.rawValue), content)
    }
}
