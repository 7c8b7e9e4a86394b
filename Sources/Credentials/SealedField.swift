// SPDX-License-Identifier: Apache-2.0

/// Which of a login's secrets a seal contains. The raw value is part of the seal.
enum SealedField: UInt8, Sendable {
    case password = 1
    /// The shared password of the AES envelope.
    case envelope = 2
}
