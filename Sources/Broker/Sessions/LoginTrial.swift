// SPDX-License-Identifier: Apache-2.0

import DataAbstract
package import Endpoints
package import NIOCore
import Registry
package import Remoting

/// One step of a login test: what was tried, and what came of it, as a text that is safe to show.
package struct LoginStep: Sendable, Hashable {
    package let name: String
    package let error: BrokerError?
    package let detail: String

    package var isOK: Bool { error == nil }
}

extension ServerConnector {
    /// Proves the pin, logs in and out, as far as it gets; the last step has the error where there is one.
    ///
    /// - Parameter request: makes the login message for a ClientID; asked for only after the pin was checked.
    package func tryLogin(
        to endpoint: Endpoint,
        binding: LoginBinding,
        named name: String,
        request: (ClientID) async throws -> ByteBuffer
    ) async -> [LoginStep] {
        var steps: [LoginStep] = []
        let clientID = ClientID()
        let channel: RemotingChannel
        do {
            channel = try await self.channel(to: endpoint, for: binding)
            steps.append(LoginStep(name: "pin", error: nil, detail: "the endpoint is where the login is bound to"))
        } catch {
            return steps + [.failed("pin", error)]
        }
        do {
            try await LoginCall(channel: channel).logIn(try await request(clientID), named: name)
            steps.append(LoginStep(name: "login", error: nil, detail: "the server accepted the login"))
            await registry.note(.reached, for: endpoint.id)
            try await LoginService(channel: channel, name: endpoint.services.login).logout(clientID: clientID)
            steps.append(LoginStep(name: "logout", error: nil, detail: "the session was ended"))
        } catch {
            steps.append(.failed(steps.count == 1 ? "login" : "logout", error))
        }
        await channel.close()
        return steps
    }
}

extension LoginStep {
    fileprivate static func failed(_ name: String, _ error: any Error) -> LoginStep {
        let failure =
            switch error {
            case let error as BrokerError: error
            case let error as RemotingError: BrokerError(error)
            default: BrokerError.protocolFailure(reason: "\(error)")
            }
        return LoginStep(name: name, error: failure, detail: "\(failure)")
    }
}
