// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import NIOPosix
import Remoting
import Services

/// Makes the exchanges of one report over one channel.
struct ServerCapture {
    /// Timeout of each exchange.
    private static let deadline = Duration.seconds(10)
    /// A name that no service has.
    private static let unknownMethod = "RelativitydUnknownMethod"

    let channel: RemotingChannel
    /// The threads that parse replies, which would block the loop for too long.
    private let pool: NIOThreadPool
    let services: ServiceNames
    /// Called before each exchange; an error that it throws ends the report.
    let admission: RemotingChannel.Admission
    private(set) var exchanges: [CapturedExchange] = []
    /// The reply of the first exchange. It is parsed after the login is known, because it must be searched for the
    /// login's secrets too: a server may repeat an earlier login.
    private var unread: (index: Int, clientID: ClientID, reply: RawReply)?
    /// The result of the login with the real password; nil if it was not sent.
    private(set) var loginResult: AuditResult?
    private var hasLoggedOut = false

    init(
        channel: RemotingChannel,
        pool: NIOThreadPool,
        services: ServiceNames,
        admission: @escaping RemotingChannel.Admission
    ) {
        self.channel = channel
        self.pool = pool
        self.services = services
        self.admission = admission
    }

    /// Sends a call with a ClientID that the server does not know, as if a session had expired.
    mutating func expiry() async throws {
        let clientID = ClientID()
        func request(_ clientID: ClientID) -> ByteBuffer {
            SchemaRequest.encode(service: services.data, clientID: clientID)
        }
        var exchange = CapturedExchange(.expiry, request: Array(request(.zero).readableBytesView))
        if let reply = try await receive(request(clientID), noting: &exchange) {
            unread = (exchanges.count, clientID, reply)
        }
        exchanges.append(exchange)
    }

    /// Overwrites the unread reply.
    mutating func wipe() {
        unread?.reply.wipe()
        unread = nil
    }

    /// Logs in, and parses the reply that is still unread.
    ///
    /// - Parameter login: wiped by the caller when the report is done; nil sends no login.
    mutating func logIn(_ clientID: ClientID, login: LoginMessage?) async throws {
        let logins = login.map { [$0] } ?? []
        if let (index, clientID, reply) = unread {
            defer { wipe() }
            let scrubber = CaptureScrubber(clientID: clientID, logins: logins)
            (exchanges[index], _) = try await look(into: reply, of: exchanges[index]) { reply, exchange in
                scrubber.add(reply, to: &exchange)
                return .done
            }
        }
        guard let login else { return }
        loginResult = try await logIn(.login, login, as: CaptureScrubber(clientID: clientID, logins: logins))
    }

    /// Makes two calls and logs out.
    ///
    /// - Parameter login: as in `logIn`.
    mutating func session(_ clientID: ClientID, login: LoginMessage?) async throws {
        let scrubber = CaptureScrubber(clientID: clientID, logins: login.map { [$0] } ?? [])
        try await exchange(.exception, as: scrubber) { [services] in
            RequestMessage.writer(clientID: $0, service: services.data, method: Self.unknownMethod).buffer
        }
        try await exchange(.schema, as: scrubber) { [services] in
            SchemaRequest.encode(service: services.data, clientID: $0)
        }
        guard login != nil else { return }
        try await exchange(.logout, as: scrubber) { [services] in
            LogoutRequest.encode(service: services.login, clientID: $0)
        }
        hasLoggedOut = true
    }

    /// Ends the session of a report that failed, if the server may still be contacted.
    func logOut(_ clientID: ClientID, ifAllowed permission: () async throws -> Void) async {
        guard loginResult != nil, loginResult != .refused, !hasLoggedOut else { return }
        guard (try? await permission()) != nil else { return }
        // The report has failed already, so an error here does not matter.
        try? await LoginService(channel: channel, name: services.login).logout(clientID: clientID)
    }

    /// - Parameter known: the real login, whose password must not be shown either.
    mutating func wrongPassword(_ clientID: ClientID, login: LoginMessage, known: LoginMessage) async throws {
        _ = try await logIn(.wrongPassword, login, as: CaptureScrubber(clientID: clientID, logins: [login, known]))
    }

    private mutating func logIn(
        _ step: ExchangeStep,
        _ login: LoginMessage,
        as scrubber: CaptureScrubber
    ) async throws -> AuditResult {
        let shown = RequestMessage.writer(clientID: .zero, service: services.login, method: LoginRequest.method)
        var exchange = CapturedExchange(step, request: Array(shown.buffer.readableBytesView))
        exchange.notes.append(CaptureNote(code: .loginOmitted))
        return try await post(login.bytes, noting: &exchange) { reply, exchange in
            scrubber.add(reply, to: &exchange)
            return Self.result(of: reply, to: login)
        }
    }

    private static func result(of reply: RawReply, to login: LoginMessage) -> AuditResult {
        do {
            return try LoginReply.decode(reply.body, to: login) ? .done : .refused
        } catch is WithheldRefusal {
            return .refused
        } catch RemotingError.exception {
            return .refused
        } catch {
            return .failed
        }
    }

    private mutating func exchange(
        _ step: ExchangeStep,
        as scrubber: CaptureScrubber,
        _ request: (ClientID) -> ByteBuffer
    ) async throws {
        var exchange = CapturedExchange(step, request: Array(request(.zero).readableBytesView))
        _ = try await post(request(scrubber.clientID), noting: &exchange) { reply, exchange in
            scrubber.add(reply, to: &exchange)
            return .done
        }
    }

    private typealias Use = @Sendable (RawReply, inout CapturedExchange) -> AuditResult

    /// - Parameter use: handles the reply, if there is one. The reply is overwritten afterwards, because a server may
    ///   repeat a password in any reply.
    /// - Returns: the result of `use`; `failed` without a reply.
    private mutating func post(
        _ message: ByteBuffer,
        noting exchange: inout CapturedExchange,
        _ use: @escaping Use
    ) async throws -> AuditResult {
        guard let reply = try await receive(message, noting: &exchange) else {
            exchanges.append(exchange)
            return .failed
        }
        defer { reply.wipe() }
        do {
            let (noted, result) = try await look(into: reply, of: exchange, use)
            exchanges.append(noted)
            return result
        } catch {
            exchange.error = "\(error)"
            exchanges.append(exchange)
            return .failed
        }
    }

    /// - Throws: the error of `admission`; all other errors are recorded in the exchange.
    private func receive(_ message: ByteBuffer, noting exchange: inout CapturedExchange) async throws -> RawReply? {
        try await admission()
        do {
            return try await channel.raw(message, deadline: Self.deadline, limit: CaptureScrubber.limits.message)
        } catch {
            exchange.error = "\(error)"
            return nil
        }
    }

    private func look(
        into reply: RawReply,
        of exchange: CapturedExchange,
        _ use: @escaping Use
    ) async throws -> (CapturedExchange, AuditResult) {
        try await pool.perform {
            var exchange = exchange
            let result = use(reply, &exchange)
            return (exchange, result)
        }
    }
}

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
            exchange.notes.append(CaptureNote(code: .loginReplyOmitted, count: Int64(reply.body.readableBytes)))
            return
        }
        do throws(RemotingError) {
            guard let body = try cleaned(reply.body, noting: &exchange) else { return withhold(in: &exchange) }
            defer { body.wipeSharedStorage() }
            try show(body, in: &exchange)
        } catch {
            exchange.notes.append(CaptureNote(code: .bodyUnreadable, text: "\(error)"))
        }
    }

    /// Searches the header before its bytes become a string.
    private func add(_ header: RawReply.Header, to exchange: inout CapturedExchange) {
        guard !repeatsPassword(header.line), !ClientIDEcho.isFound(clientID, in: header.line, limit: Self.searchedBytes)
        else {
            exchange.notes.append(CaptureNote(code: .headerSecret))
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
        let scrubber = MessageScrubber(hiding: clientID, behind: .zero)
        guard MessageHeader.opens(body) else {
            exchange.notes.append(CaptureNote(code: .notMessage, count: Int64(body.readableBytes)))
            if MessageHeader.opensEnvelope(body) { throw .aesEnvelope }
            return repeatsPassword(body) ? nil : scrubber.scrubbedText(body)
        }
        var start = body
        let header = try MessageHeader(from: &start)
        let code = header.isCompressed ? CaptureNote.Code.compressedMessage : .message
        exchange.notes.append(CaptureNote(code: code, kind: .init(header.kind), count: Int64(body.readableBytes)))
        let message = try BinMessage(decoding: body, limits: Self.limits)
        // Search the bytes before they become a string.
        defer { if header.isCompressed { message.body.wipeSharedStorage() } }
        guard !repeatsPassword(message.body) else { return nil }
        let clean = try scrubber.scrubbed(body, limits: Self.limits)
        guard header.clientID != clientID, header.clientID != .zero else {
            exchange.notes.append(CaptureNote(code: header.clientID == clientID ? .sameClientID : .zeroClientID))
            return clean
        }
        exchange.notes.append(CaptureNote(code: .otherClientID))
        return try MessageScrubber(hiding: header.clientID, behind: .zero).scrubbed(clean, limits: Self.limits)
    }

    private func show(_ body: ByteBuffer, in exchange: inout CapturedExchange) throws(RemotingError) {
        var shown = min(body.readableBytes, Self.shownBytes)
        if MessageHeader.opens(body) {
            if let className = try ReplyMessage.exceptionClass(in: body, limits: Self.limits) {
                guard !isSecret(className) else { return withhold(in: &exchange) }
                exchange.notes.append(CaptureNote(code: .exception, text: "\(Printable(className, columns: 128))"))
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
        if shown < body.readableBytes {
            exchange.notes.append(CaptureNote(code: .bytesOmitted, count: Int64(body.readableBytes - shown)))
        }
    }

    /// A schema describes private data, so only the names of its elements are recorded.
    private func addShape(of text: String, to exchange: inout CapturedExchange) throws(RemotingError) {
        guard let lines = XMLShape.lines(of: text) else {
            exchange.notes.append(CaptureNote(code: .schemaNotXML))
            return
        }
        for line in lines where !isSecret(line) {
            exchange.notes.append(CaptureNote(code: .schemaElement, text: "\(Printable(line, columns: 512))"))
        }
    }

    private func withhold(in exchange: inout CapturedExchange) {
        exchange.notes.append(CaptureNote(code: .bodySecret))
    }

    private func repeatsPassword(_ body: ByteBuffer) -> Bool {
        logins.contains { $0.isRepeated(in: body, limit: Self.searchedBytes) }
    }

    private func isSecret(_ text: String) -> Bool {
        ClientIDEcho.isFound(clientID, in: text) || logins.contains { $0.isRepeated(in: text) }
    }
}
