// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import EventLoops
import NIOCore
import Remoting

/// Removes the secrets of a session and its login from replies, and omits from the report any part that still
/// contains one.
struct CaptureScrubber {
    /// Bytes of a body that a report shows.
    private static let shownBytes = 4096
    /// Bytes of a body that are searched for secrets, more than are shown.
    private static let searchedBytes = 16_384
    private static let headerLimit = 32
    static let limits = WireLimits(message: 4 << 20, compressed: 1 << 20)
    private static let harmlessHeaders: Set<String> = [
        "server", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "date",
        "allow",
    ]

    let clientID: ClientID
    /// Contain the passwords until they are wiped.
    let logins: [LoginMessage]

    func add(_ reply: RawReply, to exchange: inout CapturedExchange) {
        exchange.status = reply.status
        for header in reply.headers(atMost: Self.headerLimit) { add(header, to: &exchange) }
        guard !exchange.step.isLogin || MessageHeader.opens(reply.body) else {
            // The server may repeat the login string in an unknown form.
            let count = reply.body.readableBytes
            exchange.notes.append(
                "the body is left out: it answers a login and is no BinMessage, \(Counted(count, "byte"))"
            )
            return
        }
        do throws(RemotingError) {
            guard let body = try cleaned(reply.body, noting: &exchange) else { return withhold(in: &exchange) }
            defer { body.wipeSharedStorage() }
            try show(body, in: &exchange)
        } catch {
            exchange.notes.append("the body is left out: \(error)")
        }
    }

    /// Searches the header before its bytes become a string.
    private func add(_ header: RawReply.Header, to exchange: inout CapturedExchange) {
        guard !repeatsPassword(header.line), !ClientIDEcho.isFound(clientID, in: header.line, limit: Self.searchedBytes)
        else {
            exchange.notes.append("a header is left out because it repeats a secret")
            return
        }
        let name = AnsiString(bytes: Array(header.name.readableBytesView)).text
        let isHarmless = Self.harmlessHeaders.contains(name.lowercased())
        let value =
            isHarmless
            ? "\(Printable(AnsiString(bytes: Array(header.value.readableBytesView)).text, columns: 128))"
            : "(\(Counted(header.value.readableBytes, "byte")))"
        exchange.headers.append("\(Printable(name, columns: 64)): \(value)")
    }

    /// Returns nil if the body repeats a password.
    private func cleaned(
        _ body: ByteBuffer,
        noting exchange: inout CapturedExchange
    ) throws(RemotingError) -> ByteBuffer? {
        let scrubber = MessageScrubber(hiding: clientID, behind: .nobody)
        guard MessageHeader.opens(body) else {
            exchange.notes.append("\(Counted(body.readableBytes, "byte")), no BinMessage")
            if MessageHeader.opensEnvelope(body) { throw .aesEnvelope }
            return repeatsPassword(body) ? nil : scrubber.scrubbedText(body)
        }
        var start = body
        let header = try MessageHeader(from: &start)
        let form = header.isCompressed ? "compressed" : "not compressed"
        exchange.notes.append("a BinMessage of kind \(header.kind), \(Counted(body.readableBytes, "byte")), \(form)")
        let message = try BinMessage(decoding: body, limits: Self.limits)
        // Search the bytes before they become a string.
        defer { if header.isCompressed { message.body.wipeSharedStorage() } }
        guard !repeatsPassword(message.body) else { return nil }
        let clean = try scrubber.scrubbed(body, limits: Self.limits)
        guard header.clientID != clientID, header.clientID != .nobody else {
            exchange.notes.append("its ClientID is \(header.clientID == clientID ? "that of the request" : "zero")")
            return clean
        }
        exchange.notes.append("its ClientID is another one than that of the request")
        return try MessageScrubber(hiding: header.clientID, behind: .nobody).scrubbed(clean, limits: Self.limits)
    }

    private func show(_ body: ByteBuffer, in exchange: inout CapturedExchange) throws(RemotingError) {
        var shown = min(body.readableBytes, Self.shownBytes)
        if MessageHeader.opens(body) {
            if let className = try ReplyMessage.exceptionClass(in: body, limits: Self.limits) {
                guard !isSecret(className) else { return withhold(in: &exchange) }
                exchange.notes.append("exception of class \(Printable(className, columns: 128))")
            } else if exchange.step == .schema {
                var values = try ReplyMessage.values(of: body, limits: Self.limits)
                shown = body.readableBytes - values.remaining
                try addShape(of: try values.readText(), to: &exchange)
            }
        }
        guard !repeatsPassword(body), !ClientIDEcho.isFound(clientID, in: body, limit: Self.searchedBytes) else {
            return withhold(in: &exchange)
        }
        exchange.reply = Array(body.readableBytesView.prefix(shown))
        if shown < body.readableBytes { exchange.notes.append("\(body.readableBytes - shown) more bytes are left out") }
    }

    /// A schema describes private data, so only the names of its elements are recorded.
    private func addShape(of text: String, to exchange: inout CapturedExchange) throws(RemotingError) {
        guard let lines = XMLShape.lines(of: text) else {
            exchange.notes.append("the schema is no XML")
            return
        }
        for line in lines where !isSecret(line) { exchange.notes.append("schema: \(Printable(line, columns: 512))") }
    }

    private func withhold(in exchange: inout CapturedExchange) {
        exchange.notes.append("the body is left out because it repeats a secret")
    }

    private func repeatsPassword(_ body: ByteBuffer) -> Bool {
        logins.contains { $0.isRepeated(in: body, limit: Self.searchedBytes) }
    }

    private func isSecret(_ text: String) -> Bool {
        ClientIDEcho.isFound(clientID, in: text) || logins.contains { $0.isRepeated(in: text) }
    }
}
