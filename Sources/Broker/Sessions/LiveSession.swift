// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// What a login has made: where it goes and as whom.
struct LiveSession {
    private static let logoutDeadline = Duration.seconds(2)

    let channel: RemotingChannel
    let clientID: ClientID
    let loginService: String
    let generation: SessionState.Generation

    /// Tells the server that the session has ended: once more if the connection broke, for two seconds in all.
    func logOut() async {
        let service = LoginService(channel: channel, name: loginService)
        for deadline in [Self.logoutDeadline / 2, Self.logoutDeadline / 2] {
            do {
                return try await service.logout(clientID: clientID, deadline: deadline)
            } catch RemotingError.interrupted, RemotingError.deadline {
                continue
            } catch {
                return
            }
        }
    }
}
