// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOHTTP1

/// Writes responses, one for each connection.
///
/// NIO's encoder is not used: replies of both protocols are built as bytes and sent the same way.
enum HTTPAnswer {
    /// Writes a complete response.
    static func write(
        _ status: HTTPResponseStatus,
        _ contentType: String,
        allowed: String? = nil,
        body: some Collection<UInt8>,
        into bytes: inout [UInt8]
    ) {
        writeHead(status, contentType, into: &bytes)
        if let allowed { bytes += "Allow: \(allowed)\r\n".utf8 }
        bytes += "Content-Length: \(body.count)\r\n\r\n".utf8
        bytes += body
    }

    static func write(_ failure: HTTPFailure, into bytes: inout [UInt8]) {
        write(
            failure.status,
            HTTPRendering.parameters.contentType,
            allowed: failure.allowed,
            body: line(failure.json),
            into: &bytes
        )
    }

    /// Writes the head of a response that ends with its last chunk, or with the end of the connection.
    static func writeStreamHead(_ contentType: String, inChunks: Bool, into bytes: inout [UInt8]) {
        writeHead(.ok, contentType, into: &bytes)
        if inChunks { bytes += "Transfer-Encoding: chunked\r\n".utf8 }
        bytes += "\r\n".utf8
    }

    static func writeChunk(_ chunk: [UInt8], into bytes: inout [UInt8]) {
        bytes += "\(String(chunk.count, radix: 16))\r\n".utf8
        bytes += chunk
        bytes += "\r\n".utf8
    }

    static func writeLastChunk(into bytes: inout [UInt8]) {
        bytes += "0\r\n\r\n".utf8
    }

    /// JSON that ends with a line feed, so that a shell's prompt starts on a line of its own.
    static func line(_ object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        object.serialize(into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func writeHead(_ status: HTTPResponseStatus, _ contentType: String, into bytes: inout [UInt8]) {
        bytes += "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n".utf8
        bytes += "Content-Type: \(contentType)\r\nCache-Control: no-store\r\nConnection: close\r\n".utf8
    }
}
