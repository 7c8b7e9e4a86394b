// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// When passwords went out again, for each endpoint: sessions come and go, the limit stays. A login is written down before
/// its password goes out, so that sessions that ask at once share one limit. On the event loop only.
final class ReloginBook: Sendable {
    private let logins: NIOLoopBoundBox<[EndpointID: [NIODeadline]]>

    init(loop: any EventLoop) {
        logins = .makeBoxSendingValue([:], eventLoop: loop)
    }

    subscript(endpoint: EndpointID) -> [NIODeadline] {
        get { logins.value[endpoint] ?? [] }
        set { logins.value[endpoint] = newValue.isEmpty ? nil : newValue }
    }
}
