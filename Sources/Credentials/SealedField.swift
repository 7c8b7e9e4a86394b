// SPDX-License-Identifier: Apache-2.0

/// Which secret of a login a seal holds. The raw value is part of the seal.
enum SealedField: UInt8, Sendable {
    case password = 1
    /// The shared password of the AES envelope.
    case envelope = 2
}
