// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import EventLoops
import NIOCore
import Remoting

/// A session that a login has opened: its channel, ClientID and login service.
struct LiveSession {
    private static let logoutDeadline = Duration.seconds(2)
    private static let pause = Duration.milliseconds(50)

    let loop: any EventLoop
    let channel: RemotingChannel
    let clientID: ClientID
    let loginService: String
    let generation: SessionState.Generation
    /// Removes the session's ClientID from replies.
    let scrubber: MessageScrubber

    init(
        loop: any EventLoop,
        channel: RemotingChannel,
        clientID: ClientID,
        loginService: String,
        generation: SessionState.Generation
    ) {
        self.loop = loop
        self.channel = channel
        self.clientID = clientID
        self.loginService = loginService
        self.generation = generation
        scrubber = MessageScrubber(hiding: clientID, behind: .nobody)
    }

    /// Logs the session out. Retries if the connection breaks, for two seconds in total.
    ///
    /// - Returns: false if the server may not have received the logout.
    func logOut() async -> Bool {
        let service = LoginService(channel: channel, name: loginService)
        let end = NIODeadline.now() + TimeAmount(Self.logoutDeadline)
        while NIODeadline.now() < end {
            do {
                try await service.logout(clientID: clientID, deadline: Duration(end - .now()))
                return true
            } catch RemotingError.exception {
                return true
            } catch RemotingError.interrupted {
                guard (try? await loop.sleep(for: Self.pause)) != nil else { return false }
            } catch {
                return false
            }
        }
        return false
    }
}
