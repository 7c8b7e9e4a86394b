// SPDX-License-Identifier: Apache-2.0

/// What a text may cost its reader. Memory and stack used by parsing are bounded by these.
public struct JSONLimits: Sendable, Hashable {
    /// Arrays and objects inside one another, the outermost counted; a scalar has depth 0. The parser recurses as deep.
    public var depth: Int

    /// Length of the whole text.
    public var bytes: Int

    /// Values of any kind in the whole text, each array and object counted too.
    public var values: Int

    public init(depth: Int = 64, bytes: Int = 1 << 20, values: Int = 1 << 18) {
        self.depth = depth
        self.bytes = bytes
        self.values = values
    }
}
