// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A BinMessage for an adapter's socket, encoded by hand according to docs/wire.md.
struct AdapterCall {
    static let clientID = (0..<16).map { UInt8(0xA0 + $0) }

    /// The response: the bytes on the socket, and their parts.
    struct Answer: Sendable {
        let raw: [UInt8]
        let status: Int
        let message: [UInt8]

        var isException: Bool { message.count > 6 && message[6] == 1 }
        var clientID: [UInt8] { Array(message.dropFirst(12).prefix(16)) }
        /// The strings among the values of a reply, or class and text of an exception.
        var text: String { String(decoding: message.dropFirst(28), as: UTF8.self) }
    }

    let service: String
    let method: String
    /// The string parameters.
    var strings: [String] = []

    func post(to socket: String) async throws -> Answer {
        let request = http
        return try await BlockingWork.run {
            let stream = try UnixStream(path: socket)
            stream.send(request)
            return try Self.parse(try stream.receive())
        }
    }

    /// The message without the head of the HTTP request.
    var body: [UInt8] {
        var body = Array("RO107".utf8) + [UInt8](repeating: 0, count: 7) + Self.clientID
        for text in [service, method] + strings { body += Self.counted(text) }
        return body
    }

    var http: [UInt8] {
        let body = body
        let head =
            "POST /bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static func counted(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: Int32(text.utf8.count).littleEndian) { Array($0) } + Array(text.utf8)
    }

    private static func parse(_ raw: [UInt8]) throws -> Answer {
        let text = String(decoding: raw, as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let end = raw.indices.first { raw[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? raw.endIndex
        return Answer(raw: raw, status: status, message: Array(raw[end...].dropFirst(4)))
    }
}
