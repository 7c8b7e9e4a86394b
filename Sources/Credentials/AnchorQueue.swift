// SPDX-License-Identifier: Apache-2.0

/// Queue of anchors to be written: one at a time, and the newest last, so that an older one never replaces it.
struct AnchorQueue {
    private var next: VaultAnchors.Draft?
    private var isWriting = false

    /// - Returns: whether the caller has to write what `take` returns, and then call `end`; else whoever writes takes it
    ///   along.
    mutating func add(_ draft: VaultAnchors.Draft) -> Bool {
        next = draft
        guard !isWriting else { return false }
        isWriting = true
        return true
    }

    /// The newest anchor that is not written yet.
    mutating func take() -> VaultAnchors.Draft? {
        defer { next = nil }
        return next
    }

    mutating func end() { isWriting = false }
}
