// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import Endpoints
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
        request: (ClientID) async throws -> LoginMessage
    ) async -> [LoginStep] {
        let channel: RemotingChannel
        do {
            let target = try await noting(endpoint.id, isContact: false) {
                try await self.target(of: endpoint, for: binding)
            }
            channel = try self.channel(to: target, of: endpoint.id, for: binding)
        } catch {
            return [.failed("pin", error)]
        }
        var steps = [LoginStep(name: "pin", error: nil, detail: "the endpoint is where the login is bound to")]
        steps += await logInAndOut(over: channel, to: endpoint, binding: binding, named: name, request: request)
        await channel.close()
        return steps
    }

    private func logInAndOut(
        over channel: RemotingChannel,
        to endpoint: Endpoint,
        binding: LoginBinding,
        named name: String,
        request: (ClientID) async throws -> LoginMessage
    ) async -> [LoginStep] {
        let clientID = ClientID()
        do {
            // Looking for the server took its time, in which the permission may have gone.
            try await checkPermission(binding)
            let message = try await request(clientID)
            try await noting(endpoint.id) {
                try await LoginCall(channel: channel, clientID: clientID, pool: pool).logIn(message, named: name)
            }
        } catch {
            return [.failed("login", error)]
        }
        let login = LoginStep(name: "login", error: nil, detail: "the server accepted the login")
        do {
            try await shielded(on: loop) {
                try await LoginService(channel: channel, name: endpoint.services.login).logout(clientID: clientID)
            }
        } catch RemotingError.exception {
            // Its text could repeat what the login has sent, and the session may still be there.
            return [
                login, .failed("logout", BrokerError.protocolFailure(reason: "the server answered with an exception")),
            ]
        } catch {
            return [login, .failed("logout", error)]
        }
        return [login, LoginStep(name: "logout", error: nil, detail: "the session was ended")]
    }
}

extension LoginStep {
    static func failed(_ name: String, _ error: any Error) -> LoginStep {
        let failure =
            switch error {
            case let error as BrokerError: error
            case let error as RemotingError: BrokerError(error)
            default: BrokerError.protocolFailure(reason: "\(error)")
            }
        return LoginStep(name: name, error: failure, detail: "\(failure)")
    }
}
