// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import NIOPosix
import Remoting
import Services

/// A request that a tool posted to an adapter, with the decision on it.
enum ToolRequest {
    /// Send it to the server inside the session. The ClientID is the tool's own. A call that is not known to change
    /// nothing must not be repeated.
    case forward(ByteBuffer, tool: ClientID, isRepeatable: Bool)
    /// Answer it directly: LoginEx, Login and Logout. The daemon itself logs in, and a tool must not log out
    /// another.
    case answer(BinMessage)

    /// The login services of Data Abstract (docs/wire.md, "Services"). A server may have several, and each of them
    /// could end the session or turn it into a session of another user.
    private static let loginServices = Set(
        ["LoginService", "BaseLoginService", "SimpleLoginService", "MultiDbLoginService", "MultiDbLoginServiceV5"]
            .map(WireName.init)
    )

    /// - Parameter vault: the vault's current state.
    /// - Throws: `RemotingError` for bytes that are not a request, `BrokerError` for a request that the adapter's
    ///   rules refuse, `CredentialError.locked`.
    init(_ bytes: ByteBuffer, _ rules: AdapterRules, vault: VaultState = .unlocked) throws {
        guard !Self.looksLikeJSON(bytes) else {
            throw RemotingError.malformed(reason: "an adapter accepts BinMessages only, not JSON")
        }
        var start = bytes
        let header = try MessageHeader(from: &start)
        if header.kind == .poll {
            try rules.check(.poll, vault: vault)
            _ = try PollRequest(decoding: bytes)
            self = .forward(bytes, tool: header.clientID, isRepeatable: true)
            return
        }
        guard header.kind == .message else {
            throw RemotingError.malformed(reason: "an adapter accepts only requests and polls")
        }
        let request = try RequestMessage(decoding: bytes)
        let service = WireName(request.service)
        let isLoginService = Self.loginServices.contains(service) || service == WireName(rules.loginService)
        let answer = isLoginService ? try Self.answer(to: request, rules.login) : nil
        let call = ToolCall(request, isLogin: answer != nil)
        try rules.check(.call(call), vault: vault)
        if let answer {
            self = .answer(ReplyMessage.encode(answer, to: request))
        } else {
            // Send the bytes that were checked: another reader might inflate the tool's bytes to different ones.
            let checked = header.isCompressed ? try BinMessage(decoding: bytes).encoded() : bytes
            self = .forward(checked, tool: header.clientID, isRepeatable: call.isReading)
        }
    }

    private static func looksLikeJSON(_ bytes: ByteBuffer) -> Bool {
        let blanks = Array(" \t\r\n".utf8)
        let first = bytes.readableBytesView.prefix(64).first { !blanks.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// - Returns: nil for a method that the daemon does not answer.
    private static func answer(to request: RequestMessage, _ login: Account?) throws -> BinMessageWriter? {
        var parameters = request.parameters
        var values = BinMessageWriter()
        switch WireName(request.method) {
        case WireName("LoginEx"):
            guard let login else { throw BrokerError.noLogin }
            try login.check(loginString: try parameters.readAnsi().bytes)
            values.write(true)
        case WireName("Login"):
            guard let login else { throw BrokerError.noLogin }
            try login.check(user: try parameters.readText())
            values.write(true)
            values.write(emptyUserInfo)
        case WireName("Logout"):
            break
        default:
            return nil
        }
        return values
    }

    /// A UserInfo without content. Clients read a null struct in different ways (docs/wire.md).
    private static let emptyUserInfo = RemotingStruct(
        "UserInfo",
        [
            .init("Attributes", .array([])), .init("Privileges", .array([])), .init("SessionID", .utf8String("")),
            .init("UserData", .binary(ByteBuffer())), .init("UserID", .utf8String("")),
        ]
    )
}

/// The account that an adapter is logged in with. A tool that logs in on its own must name the same, or none.
extension Account {
    /// Accepts a login string with any password. A field that is absent or empty matches. Letters are compared
    /// without case, as servers do. Extra keys that the adapter's login does not have are ignored.
    ///
    /// - Throws: `BrokerError.otherLogin` for another user, domain or schema; `BrokerError.otherExtra` for another
    ///   value of an extra key; `RemotingError.malformed`.
    func check(loginString bytes: [UInt8]) throws {
        let fields: LoginStringParser.Fields
        do {
            fields = try LoginStringParser.parse(bytes)
        } catch {
            throw RemotingError.malformed(reason: "\(error)")
        }
        try check(user: fields.user)
        try Self.check("domain", fields.domain, domain)
        try Self.check("schema", fields.schema, schema)
        for (key, value) in fields.further {
            let own = extras.first { $0.key.lowercased() == key.lowercased() }
            guard let own, !value.isEmpty else { continue }
            guard String(decoding: value, as: UTF8.self).lowercased() == own.value.lowercased() else {
                throw BrokerError.otherExtra
            }
        }
    }

    /// The same check for the user alone.
    func check(user asked: String?) throws(BrokerError) {
        try Self.check("user", asked, user)
    }

    private static func check(_ field: String, _ asked: String?, _ own: String) throws(BrokerError) {
        guard let asked, !asked.isEmpty, asked.lowercased() != own.lowercased() else { return }
        throw .otherLogin(field: field, asked: asked)
    }
}

/// Parses the requests of tools. Large and compressed ones are parsed on the thread pool, a few at a time, because the
/// memory that an inflated request takes is known only when it is inflated.
struct ToolRequestParser: Sendable {
    private let turns: Turnstile<String>
    private let pool: NIOThreadPool

    /// - Parameter width: number of large requests that are parsed at the same time.
    init(width: Int, loop: any EventLoop, pool: NIOThreadPool) {
        turns = Turnstile(width: width, on: loop)
        self.pool = pool
    }

    /// - Throws: as `ToolRequest.init`; `CancellationError`.
    func parse(_ request: ByteBuffer, _ rules: AdapterRules, vault: VaultState) async throws -> ToolRequest {
        guard ServerConnector.isLarge(request) else { return try ToolRequest(request, rules, vault: vault) }
        let ticket = turns.enter("large")
        try await turns.wait(ticket)
        defer { turns.leave(ticket) }
        return try await pool.perform { try ToolRequest(request, rules, vault: vault) }
    }
}
