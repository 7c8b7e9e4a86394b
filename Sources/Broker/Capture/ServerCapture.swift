// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import NIOCore
import Remoting

/// The exchanges of one report, over one channel.
struct ServerCapture {
    /// For each exchange.
    private static let deadline = Duration.seconds(10)
    /// A name that no service has.
    private static let unknownMethod = "RelativitydUnknownMethod"

    let channel: RemotingChannel
    let services: ServiceNames
    private(set) var exchanges: [CapturedExchange] = []

    init(channel: RemotingChannel, services: ServiceNames) {
        self.channel = channel
        self.services = services
    }

    /// What a server answers to a session that it has never known, as it does once a session is over.
    mutating func expiry() async {
        let clientID = ClientID()
        await exchange(.expiry, as: CaptureScrubber(clientID: clientID, logins: [])) { [services] in
            SchemaRequest.encode(service: services.data, clientID: $0)
        }
    }

    /// Logs in, makes two calls and logs out.
    ///
    /// - Parameter login: wiped by the caller, who knows when the report is done; nil makes the calls without a session.
    mutating func session(_ clientID: ClientID, login: LoginMessage?) async {
        let scrubber = CaptureScrubber(clientID: clientID, logins: login.map { [$0] } ?? [])
        if let login { await logIn(.login, login, as: scrubber) }
        await exchange(.exception, as: scrubber) { [services] in
            RequestMessage.writer(clientID: $0, service: services.data, method: Self.unknownMethod).buffer
        }
        await exchange(.schema, as: scrubber) { [services] in
            SchemaRequest.encode(service: services.data, clientID: $0)
        }
        guard login != nil else { return }
        await exchange(.logout, as: scrubber) { [services] in
            LogoutRequest.encode(service: services.login, clientID: $0)
        }
    }

    /// - Parameter known: the real login, whose password may not show up either.
    mutating func wrongPassword(_ clientID: ClientID, login: LoginMessage, known: LoginMessage) async {
        await logIn(.wrongPassword, login, as: CaptureScrubber(clientID: clientID, logins: [login, known]))
    }

    private mutating func logIn(
        _ step: CapturedExchange.Step,
        _ login: LoginMessage,
        as scrubber: CaptureScrubber
    ) async {
        let shown = RequestMessage.writer(clientID: .nobody, service: services.login, method: LoginRequest.method)
        var exchange = CapturedExchange(step, request: Array(shown.buffer.readableBytesView))
        exchange.notes.append("the login string in the request is left out")
        await post(login.bytes, noting: &exchange, as: scrubber)
    }

    private mutating func exchange(
        _ step: CapturedExchange.Step,
        as scrubber: CaptureScrubber,
        _ request: (ClientID) -> ByteBuffer
    ) async {
        var exchange = CapturedExchange(step, request: Array(request(.nobody).readableBytesView))
        await post(request(scrubber.clientID), noting: &exchange, as: scrubber)
    }

    private mutating func post(
        _ message: ByteBuffer,
        noting exchange: inout CapturedExchange,
        as scrubber: CaptureScrubber
    ) async {
        do {
            scrubber.add(try await channel.raw(message, deadline: Self.deadline), to: &exchange)
        } catch {
            exchange.error = "\(error)"
        }
        exchanges.append(exchange)
    }
}
