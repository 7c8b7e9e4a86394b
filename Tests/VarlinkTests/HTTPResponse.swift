// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

/// A response as a client reads it from the bytes of one connection.
struct HTTPResponse {
    let status: Int
    /// The headers, by their names in lower case.
    let headers: [String: String]
    let body: String
    /// Whether the body is complete: false if a chunked body has no end.
    let isWhole: Bool

    init(_ text: String) throws {
        let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text)")
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        status = try #require(Int(lines[0].split(separator: " ")[1]))
        headers = Dictionary(
            uniqueKeysWithValues: lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
            }
        )
        let rest = Array(text[end.upperBound...].utf8)
        if headers["transfer-encoding"] == "chunked" {
            (body, isWhole) = try Self.joined(rest)
        } else {
            body = String(decoding: rest, as: UTF8.self)
            isWhole = headers["content-length"].map { $0 == "\(rest.count)" } ?? true
        }
    }

    /// The body as one JSON object.
    var json: JSONObject { get throws { try #require(try JSONValue(parsing: body).objectValue) } }

    /// The records of a body in `application/json-seq`.
    var records: [JSONObject] {
        get throws {
            try body.split(separator: "\u{1E}").map { record in
                #expect(record.hasSuffix("\n"))
                return try #require(try JSONValue(parsing: String(record)).objectValue)
            }
        }
    }

    private static func joined(_ chunks: [UInt8]) throws -> (String, Bool) {
        var rest = chunks[...]
        var body: [UInt8] = []
        while let line = rest.firstIndex(of: 10) {
            let digits = String(decoding: rest[..<(line - 1)], as: UTF8.self)
            let count = try #require(Int(digits, radix: 16), "\(digits)")
            rest = rest[(line + 1)...]
            guard count > 0 else { return (String(decoding: body, as: UTF8.self), true) }
            body += rest.prefix(count)
            #expect(rest.dropFirst(count).prefix(2).elementsEqual([13, 10]))
            rest = rest.dropFirst(count + 2)
        }
        return (String(decoding: body, as: UTF8.self), false)
    }
}

extension RawPeer {
    /// Sends a request with these lines as its head, and reads the response until the connection closes.
    func http(_ lines: String..., body: String = "") throws -> HTTPResponse {
        let head = lines + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
        send(Array((head.map { $0 + "\r\n" }.joined() + "\r\n" + body).utf8))
        return try HTTPResponse(try receiveAll())
    }
}
