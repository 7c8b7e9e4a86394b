// SPDX-License-Identifier: Apache-2.0

import Remoting

/// A ClientID that a caller has made for a session that it will use directly.
package struct ChosenClientID: Sendable {
    /// Bytes of a ClientID.
    package static var byteCount: Int { ClientID.byteCount }

    let id: ClientID

    /// - Returns: nil unless there are 16 bytes that are not all zero. Clients without a session send zeros.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let id = ClientID(wireBytes: bytes), bytes.contains(where: { $0 != 0 }) else { return nil }
        self.id = id
    }
}
