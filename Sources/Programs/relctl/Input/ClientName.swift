// SPDX-License-Identifier: Apache-2.0

import Platform

/// The name that another program gives itself for which relctl works, such as an MCP client. It is a claim, for the audit
/// log.
struct ClientName: Hashable {
    /// The variable that passes it on.
    static let variable = "RELATIVITYD_CLIENT"
    private static let longest = 64

    let text: String

    /// A name reduced to printable ASCII and 64 characters; `unnamed` if nothing is left of it.
    init(_ claim: String) {
        let bytes = claim.utf8.filter { (0x20...0x7E).contains($0) }.prefix(Self.longest)
        text = bytes.isEmpty ? "unnamed" : String(decoding: bytes, as: UTF8.self)
    }

    /// That of the process, from its environment; nil if there is none.
    static var ofProcess: ClientName? {
        Environment.ofProcess()[variable].flatMap { $0.isEmpty ? nil : ClientName($0) }
    }

    /// A name as part of the name of a file: all bytes but letters, digits and `-`, `_` and `.` of ASCII, and a point at its
    /// beginning, are encoded as in a URL, so that different names have different files.
    static func fileName(_ name: String) -> String {
        name.utf8.enumerated().map { place, byte in
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let isKept = isLetter || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
            if isKept, place > 0 || byte != UInt8(ascii: ".") { return String(UnicodeScalar(byte)) }
            return "%" + HexText.encode([byte]).uppercased()
        }.joined()
    }
}
