// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

@testable import Credentials

/// One recipe of `Vectors/Format/index.json`: the base vault with one fault, and the expected result of reading it.
struct FormatVector: Sendable {
    enum Seal: String {
        case digest, tag, all
    }

    /// Replaces `remove` bytes at `at` by `insert`, repeated, each repetition with its number at `number`.
    struct Splice {
        let at: Int
        let remove: Int
        let insert: [UInt8]
        let times: Int
        let number: Int?

        init(_ object: JSONObject) throws {
            at = Int(try object.integer("at"))
            remove = Int(try object.optionalInteger("remove") ?? 0)
            insert = try FormatVector.bytes(try object.optionalString("insert") ?? "")
            times = Int(try object.optionalInteger("times") ?? 1)
            number = try object.optionalInteger("number").map { Int($0) }
        }

        func apply(to data: inout [UInt8]) {
            var added: [UInt8] = []
            for index in 0..<times {
                var piece = insert
                if let number {
                    piece[number] = UInt8(index & 0xFF)
                    piece[number + 1] = UInt8(index >> 8)
                }
                added += piece
            }
            data.replaceSubrange(at..<(at + remove), with: added)
        }
    }

    struct Malformed: Error {}

    let name: String
    /// The name of the fault in docs/vault-format.md, "Faults", or `ok`.
    let outcome: String
    let kind: KeyProviderKind
    let secret: [UInt8]
    /// The digest of the vault that the recipe yields.
    let sha256: String
    /// The digest of the content, for `ok`.
    let content: String?
    private let payload: [Splice]
    private let header: [Splice]
    private let file: [Splice]
    private let seal: Seal?

    init(_ object: JSONObject) throws {
        func splices(_ name: String) throws -> [Splice] {
            try object.optionalObjects(name)?.map { try Splice($0) } ?? []
        }
        name = try object.string("name")
        outcome = try object.string("outcome")
        let kind = UInt8(try object.optionalInteger("kind") ?? Int64(KeyProviderKind.credentialsDirectory.rawValue))
        guard let kind = KeyProviderKind(rawValue: kind) else { throw Malformed() }
        self.kind = kind
        secret = try object.optionalString("secret").map(Self.bytes) ?? GoldenVault.key
        sha256 = try object.string("sha256")
        content = try object.optionalString("content")
        payload = try splices("payload")
        header = try splices("header")
        file = try splices("file")
        seal = try object.optionalString("seal").map { name in
            guard let seal = Seal(rawValue: name) else { throw Malformed() }
            return seal
        }
    }

    /// The expected output of the reader.
    var expected: String { content.map { "\(outcome) \($0)" } ?? outcome }

    func make(from base: FormatBase) throws -> [UInt8] {
        var front = base.header
        var plain = base.plain
        var sealed = base.sealed
        for splice in payload { splice.apply(to: &plain) }
        for splice in header { splice.apply(to: &front) }
        if seal == .all { base.setPayloadLength(plain.count, in: &front) }
        if seal != nil { try base.setDigest(in: &front) }
        if seal == .tag || seal == .all { try base.setTag(in: &front) }
        if seal == .all { sealed = try base.seal(plain, under: front) }
        var bytes = front + sealed
        for splice in file { splice.apply(to: &bytes) }
        return bytes
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = HexText.decode(text) else { throw Malformed() }
        return bytes
    }
}
