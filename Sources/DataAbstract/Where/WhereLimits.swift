// SPDX-License-Identifier: Apache-2.0

/// What a where clause may cost its reader and its writer at most.
public struct WhereLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    public var bytes: Int
    /// Expressions inside one another.
    public var depth: Int
    /// Expressions in all.
    public var expressions: Int

    public init(bytes: Int = 1 << 20, depth: Int = 64, expressions: Int = 1 << 14) {
        self.bytes = bytes
        self.depth = depth
        self.expressions = expressions
    }

    /// 1 MiB, 64 levels, 16,384 expressions.
    public static let standard = WhereLimits()
}
