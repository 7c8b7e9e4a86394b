// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1

/// Precedes the HTTP decoder. If a reply may repeat a secret, this handler passes on the head that `SecretHead`
/// rewrites, and overwrites all bytes read from the server after the later handlers have processed them. Other
/// replies pass unchanged.
final class SecretReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
        case open
        case head(SecretHead)
        /// The rewritten head was passed on, and `end` has not returned the original yet.
        case body(head: ByteBuffer)
        /// The head was invalid or the connection is closed. All further input is overwritten.
        case broken
    }

    private var phase = Phase.open
    /// The heads with a 1xx status that have arrived.
    private var informational = 0

    /// Call before the next reply if that reply may repeat a secret.
    func begin() {
        phase = .head(SecretHead())
        informational = 0
    }

    /// Call at the end of that reply.
    ///
    /// - Returns: its original head, which the caller must overwrite; nil for any other reply.
    func end() -> ByteBuffer? {
        guard case .body(let head) = phase else { return nil }
        phase = .open
        return head
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch phase {
        case .open: context.fireChannelRead(data)
        case .head(var head):
            // Without this, `phase` would share the storage of `head`, and `add` would copy it.
            phase = .broken
            head.add(bytes)
            bytes.wipeSharedStorage()
            pass(head, context)
        case .body:
            context.fireChannelRead(data)
            bytes.wipeSharedStorage()
        case .broken: bytes.wipeSharedStorage()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The decoder has not seen the head yet, so it cannot report that the reply was cut short.
        if case .head(let head) = phase, informational > 0 || head.bytes.readableBytes > 0 {
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
        }
        // A reply may be delimited by the end of the connection. Then its head is read during this call.
        context.fireChannelInactive()
        wipe()
    }

    func handlerRemoved(context: ChannelHandlerContext) { wipe() }

    private func pass(_ arrived: SecretHead, _ context: ChannelHandlerContext) {
        var arrived = arrived
        do {
            while let head = try arrived.next() {
                let framing = try SecretHead.framing(of: head)
                let isLast = !SecretHead.isInformational(head)
                if isLast { phase = .body(head: ByteBuffer(bytes: head.readableBytesView)) }
                context.fireChannelRead(wrapInboundOut(framing))
                guard isLast else {
                    informational += 1
                    // The connection may stay open for a while: nothing more is parsed.
                    guard informational <= ExchangeState.informationalLimit else {
                        throw RemotingError.tooManyInformational
                    }
                    continue
                }
                let rest = arrived.bytes
                if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
                rest.wipeSharedStorage()
                return
            }
            phase = .head(arrived)
        } catch {
            arrived.bytes.wipeSharedStorage()
            context.fireErrorCaught(error)
        }
    }

    private func wipe() {
        switch phase {
        case .open, .broken: break
        case .head(let head): head.bytes.wipeSharedStorage()
        case .body(let head): head.wipeSharedStorage()
        }
        phase = .broken
    }
}

/// The first bytes of a reply that may repeat a secret.
///
/// The HTTP decoder makes a `String` of each header, which cannot be overwritten. So the decoder gets a rewritten
/// head. It contains only the headers that delimit the reply, in a fixed spelling, and no other text of the server.
struct SecretHead {
    /// The head as far as it has arrived, then the beginning of the body.
    private(set) var bytes = ByteBuffer()
    private var searched = 0

    static let limit = 32 << 10
    private static let version = Array("HTTP/1.".utf8)
    /// Length of the status line up to and including the code, such as `HTTP/1.1 200`.
    private static let statusBytes = 12
    private static let lengthDigits = 1...18

    /// Appends the received bytes and overwrites their original storage.
    mutating func add(_ part: ByteBuffer) {
        bytes.collectWiping(part, of: nil)
    }

    /// Removes a complete head from the front.
    ///
    /// - Returns: nil until the head is complete.
    /// - Throws: `HTTPParserError` for an invalid head, and for one that is longer than `limit`.
    mutating func next() throws -> ByteBuffer? {
        let found = try bytes.withUnsafeReadableBytes { [searched] in try Self.end(in: $0, from: searched) }
        searched = found.searched
        guard let end = found.end, end <= Self.limit else {
            guard bytes.readableBytes <= Self.limit else { throw HTTPParserError.headerOverflow }
            return nil
        }
        searched = 0
        return bytes.readSlice(length: end)
    }

    private static func end(in bytes: UnsafeRawBufferPointer, from start: Int) throws -> (end: Int?, searched: Int) {
        let begin = bytes.prefix(version.count)
        guard begin.elementsEqual(version.prefix(begin.count)) else { throw HTTPParserError.invalidConstant }
        var place = start
        while let feed = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
            place = feed + 1
            let rest = bytes[place...].prefix(2)
            if rest.first == UInt8(ascii: "\n") { return (place + 1, place) }
            if rest.elementsEqual([UInt8(ascii: "\r"), UInt8(ascii: "\n")]) { return (place + 2, place) }
            // The next two bytes have not arrived yet.
            if rest.count < 2 { return (nil, feed) }
        }
        return (nil, bytes.count)
    }

    /// Whether the head has a status of 1xx other than 101, so that another head follows.
    static func isInformational(_ head: ByteBuffer) -> Bool {
        head.getInteger(at: head.readerIndex + 9, as: UInt8.self) == UInt8(ascii: "1")
            && head.getBytes(at: head.readerIndex + 9, length: 3) != Array("101".utf8)
    }

    /// Returns the rewritten head for the decoder.
    ///
    /// - Throws: `HTTPParserError` for an invalid head.
    static func framing(of head: ByteBuffer) throws -> ByteBuffer {
        var clean = ByteBuffer()
        clean.reserveCapacity(256)
        try head.withUnsafeReadableBytes { head in
            var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
            let status = try line(lines.popFirst() ?? head[...])
            guard isStatus(status) else { throw HTTPParserError.invalidConstant }
            clean.writeBytes(status.prefix(statusBytes))
            clean.writeStaticString(" X\r\n")
            for bytes in lines {
                let line = try line(bytes)
                // A line that begins with a blank continues the line before it.
                if let first = line.first, first != 0x20, first != 0x09 { try add(line, to: &clean) }
            }
        }
        clean.writeStaticString("\r\n")
        return clean
    }

    private typealias Line = Slice<UnsafeRawBufferPointer>

    private static func isStatus(_ line: Line) -> Bool {
        let bytes = Array(line.prefix(statusBytes + 1))
        guard bytes.count >= statusBytes, bytes.count == statusBytes || bytes[statusBytes] == UInt8(ascii: " "),
            bytes.starts(with: version), bytes[8] == UInt8(ascii: " ")
        else { return false }
        return ([bytes[7]] + bytes[9..<12]).allSatisfy(isDigit)
    }

    /// Removes the CR at the end of the line.
    private static func line(_ bytes: Line) throws -> Line {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            throw HTTPParserError.invalidHeaderToken
        }
        return line
    }

    private static func add(_ line: Line, to clean: inout ByteBuffer) throws {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isNameByte)
        else { throw HTTPParserError.invalidHeaderToken }
        let value = trimmed(line[line.index(after: colon)...])
        if isSame(line[..<colon], "content-length") {
            guard lengthDigits.contains(value.count), value.allSatisfy(isDigit) else {
                throw HTTPParserError.invalidContentLength
            }
            clean.writeStaticString("Content-Length: ")
            clean.writeBytes(value)
            clean.writeStaticString("\r\n")
        } else if isSame(line[..<colon], "transfer-encoding") {
            clean.writeStaticString(
                isSame(value, "chunked") ? "Transfer-Encoding: chunked\r\n" : "Transfer-Encoding: x\r\n"
            )
        } else if isSame(line[..<colon], "connection") {
            for token in value.split(separator: UInt8(ascii: ",")).map(trimmed) {
                if isSame(token, "close") { clean.writeStaticString("Connection: close\r\n") }
                if isSame(token, "keep-alive") { clean.writeStaticString("Connection: keep-alive\r\n") }
            }
        }
    }

    private static func trimmed(_ bytes: Line) -> Line {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }

    /// - Parameter word: in lower case.
    private static func isSame(_ bytes: Line, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) {
                ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0) == $1
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
