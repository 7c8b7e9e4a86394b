// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// The times when passwords were sent again, by endpoint; they outlive the sessions. A login is recorded before its
/// password is sent, so that simultaneous sessions share one limit. On the event loop only.
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
