// SPDX-License-Identifier: Apache-2.0

/// Byte 6 of the header (docs/wire.md, "Header").
package enum MessageKind: UInt8, Sendable, CaseIterable {
    /// A request or its normal reply.
    case message = 0x00
    case exception = 0x01
    case event = 0x02
    case poll = 0x80
    case pollResponse = 0x81
}
