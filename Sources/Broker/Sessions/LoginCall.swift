// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import NIOCore
import Remoting

/// Sends one login over a channel and says in the broker's words what came of it.
struct LoginCall {
    let channel: RemotingChannel

    /// - Parameters:
    ///   - request: an encoded LoginEx; its bytes are wiped.
    ///   - name: how errors name the login.
    /// - Throws: `BrokerError.loginRejected` when the server says no, by false or by an exception; else the failure of
    ///   the channel.
    func logIn(_ request: ByteBuffer, named name: String) async throws {
        do {
            guard try await LoginService(channel: channel).login(request) else {
                throw BrokerError.loginRejected(login: name, reason: "user, password, domain or schema is wrong")
            }
        } catch RemotingError.exception(let exception) {
            let text = "\(Printable(exception.className)): \(Printable(exception.message))"
            throw BrokerError.loginRejected(login: name, reason: text)
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }
}
