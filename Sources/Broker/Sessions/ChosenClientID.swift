// SPDX-License-Identifier: Apache-2.0

import Remoting

/// A ClientID that a caller has made for a session that he will use by himself.
package struct ChosenClientID: Sendable {
    package static var byteCount: Int { ClientID.byteCount }

    let id: ClientID

    /// - Returns: nil unless there are 16 bytes, and not all zero, which is what clients without a session give.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let id = ClientID(wireBytes: bytes), bytes.contains(where: { $0 != 0 }) else { return nil }
        self.id = id
    }
}
