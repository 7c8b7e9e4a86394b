// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import NIOCore
import Remoting
import TestSupport

/// A tool that uses an adapter directly through its socket.
final class Tool {
    struct Failed: Error {
        let call: String
        let code: Int32
    }

    struct Answer {
        let status: Int
        let body: ByteBuffer
        /// The length of head and body.
        let byteCount: Int
        let isChunked: Bool

        /// The schema, as a Data Abstract client decodes it.
        func schema() throws -> String {
            var values = try ReplyMessage.values(of: body, to: SchemaRequest.method, limits: .standard)
            return try values.readText()
        }

        var exception: RemotingException? { (try? ReplyMessage.exception(in: body)) ?? nil }
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        Self.setPatience(of: descriptor)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        // The descriptor is closed by `deinit`, which runs after a throw from here too.
        guard status == 0 else { throw Failed(call: "connect", code: errno) }
    }

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let status = Self.withLoopbackAddress(port) { connect(descriptor, $0, $1) }
        guard status == 0 else { throw Failed(call: "connect", code: errno) }
        Self.setPatience(of: descriptor)
    }

    /// The port of this end, for a connection to a port.
    var localPort: UInt16 {
        var address = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(address.count)
        _ = address.withUnsafeMutableBytes { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return UInt16(address[2]) << 8 | UInt16(address[3])
    }

    /// sockaddr_in as bytes: which module shows the struct depends on what else was imported before.
    private static func withLoopbackAddress<R>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> R) -> R
    {
        var address = [UInt8](repeating: 0, count: 16)
        address[0] = UInt8(AF_INET)
        address.replaceSubrange(2..<8, with: [UInt8(port >> 8), UInt8(port & 255), 127, 0, 0, 1])
        return address.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), 16) }
    }

    deinit { close(descriptor) }

    /// timeval as its two words: which module shows the struct depends on what else was imported before.
    private static func setPatience(of descriptor: Int32) {
        let words = [20, 0]
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, words, socklen_t(words.count * MemoryLayout<Int>.size))
    }

    /// Sends as much as the peer accepts.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the peer closes. Throws after 20 s.
    func readToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while case let more = try readSome(), !more.isEmpty { all += more }
        return all
    }

    /// Reads at least one byte; returns none at the end.
    func readSome() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Failed(call: "recv", code: errno) }
        return Array(chunk[..<count])
    }

    /// Reads one reply of a kept connection. Later bytes are kept for the next call.
    func readAnswer() throws -> Answer {
        while true {
            if let answer = Self.answer(in: unread) {
                unread.removeFirst(answer.byteCount)
                return answer
            }
            let more = try readSome()
            guard !more.isEmpty else { throw Failed(call: "end of file", code: 0) }
            unread += more
        }
    }

    /// Closes the sending side only.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends a byte. Returns false if the peer accepts no further bytes.
    func sendByte(_ byte: UInt8) -> Bool {
        withUnsafeBytes(of: byte) { Glibc.send(descriptor, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) == 1 }
    }

    func pause(milliseconds: Int32) { poll(nil, 0, milliseconds) }

    /// - Parameter isWhole: whether all bytes have arrived.
    static func answer(in bytes: [UInt8], isWhole: Bool = false) -> Answer? {
        guard let split = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        let start = split.upperBound
        if lines.contains("transfer-encoding: chunked") {
            guard let (body, end) = unchunked(bytes, from: start) else { return nil }
            return Answer(status: status, body: body, byteCount: end, isChunked: true)
        }
        let end = length.map { start + $0 } ?? (status == 100 ? start : isWhole ? bytes.count : .max)
        guard bytes.count >= end else { return nil }
        return Answer(status: status, body: ByteBuffer(bytes: bytes[start..<end]), byteCount: end, isChunked: false)
    }

    /// The content of the chunks up to the last one; nil if that has not arrived.
    private static func unchunked(_ bytes: [UInt8], from start: Int) -> (body: ByteBuffer, end: Int)? {
        var (body, rest) = (ByteBuffer(), bytes[start...])
        while let line = rest.prefix(18).firstRange(of: [13, 10]) {
            guard let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
                rest.endIndex - line.upperBound >= count + 2
            else { return nil }
            let end = line.upperBound + count
            guard bytes[end..<(end + 2)] == [13, 10] else { return nil }
            body.writeBytes(bytes[line.upperBound..<end])
            rest = bytes[(end + 2)...]
            if count == 0 { return (body, end + 2) }
        }
        return nil
    }

    static func post(_ message: ByteBuffer, keepAlive: Bool = false) -> [UInt8] {
        let head =
            "POST /bin HTTP/1.1\r\nHost: x\r\nContent-Length: \(message.readableBytes)\r\n"
            + (keepAlive ? "" : "Connection: close\r\n") + "\r\n"
        return Array(head.utf8) + Array(message.readableBytesView)
    }

    /// Makes one call on a separate connection, off the loop, and returns every byte of the reply.
    static func rawCall(_ adapter: String, _ message: ByteBuffer) async throws -> [UInt8] {
        try await BlockingWork.run {
            let tool = try Tool(adapter)
            tool.send(post(message))
            return try tool.readToEnd()
        }
    }

    static func call(_ adapter: String, _ message: ByteBuffer = getSchema()) async throws -> Answer {
        guard let answer = answer(in: try await rawCall(adapter, message)) else {
            throw Failed(call: "no answer", code: 0)
        }
        return answer
    }

    static func getSchema(
        _ service: String = "DataService",
        filter: String = "",
        as id: ClientID = ClientID()
    ) -> ByteBuffer {
        SchemaRequest.encode(filter: filter, service: service, clientID: id)
    }
}
