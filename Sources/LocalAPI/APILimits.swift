// SPDX-License-Identifier: Apache-2.0

/// Sizes that caller and daemon agree on.
public enum APILimits {
    /// The longest piece of a file behind an upgrade.
    public static let pieceBytes = 65_536
    /// The longest vault file: the longest payload, a header with eight key slots, and the payload's tag.
    public static let vaultBytes = (8 << 20) + 2_228 + 16
}
