// SPDX-License-Identifier: Apache-2.0

import Remoting

/// The one event of the sample server, which whoever is logged in can raise: `DASampleService.Announce` sends its text to
/// every session.
enum SampleEvents {
    static let sink = "SampleEvents"
    static let announced = "Announced"
    /// Bytes of a text.
    static let textLimit = 4096
    static let parameters = [NamedType("aText", .utf8String)]
}
