// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import EventLoops
import NIOCore
import NIOPosix
import Remoting

/// Sends one login over a channel and converts the result to the broker's errors.
struct LoginCall {
    let channel: RemotingChannel
    let clientID: ClientID
    /// The threads that parse the reply.
    let pool: NIOThreadPool

    /// - Parameters:
    ///   - request: its bytes are wiped.
    ///   - name: the login's name in errors.
    /// - Throws: `BrokerError.loginRejected` if the server refuses the login, by false or by an exception; otherwise
    ///   the failure of the channel, a `RemotingError`.
    func logIn(_ request: LoginMessage, named name: String) async throws {
        do {
            guard try await LoginService(channel: channel).login(request, aside: { try await pool.perform($0) })
            else {
                throw BrokerError.loginRejected(login: name, reason: "user, password, domain or schema is wrong")
            }
        } catch let withheld as WithheldRefusal {
            let reason =
                switch withheld {
                case .repeatsPassword: "it repeats the password"
                case .tooLong: "it is too long"
                }
            throw BrokerError.loginRejected(login: name, reason: "the server's text is withheld because \(reason)")
        } catch RemotingError.exception(let exception) {
            let text = try await pool.perform {
                "\(Printable(withoutClientID(exception.className))): "
                    + "\(Printable(withoutClientID(exception.message)))"
            }
            throw BrokerError.loginRejected(login: name, reason: text)
        }
    }

    /// Removes the ClientID, which a server may repeat in its text.
    private func withoutClientID(_ text: String) -> String {
        let scrubber = MessageScrubber(hiding: clientID, behind: .nobody)
        return String(buffer: scrubber.scrubbedText(ByteBuffer(string: text)))
    }
}

extension ClientID {
    /// The ClientID of a caller that sent none.
    static let nobody = ClientID(wireBytes: [UInt8](repeating: 0, count: byteCount)) ?? ClientID()
}
