// SPDX-License-Identifier: Apache-2.0

/// Reports once that a reply takes longer than a second, and then that the wait is over.
final class DelayNotice {
    private static let patience = Duration.seconds(1)

    private let due = Deadline(after: DelayNotice.patience)
    private let tell: (Bool) -> Void
    private var isTold = false

    /// - Parameter tell: called with true when a wait becomes long, and with false when such a wait ends.
    init(_ tell: @escaping (Bool) -> Void) {
        self.tell = tell
    }

    /// The timeout for poll(2) in milliseconds until `check` must be called; -1 for none.
    var remaining: Int32 { isTold ? -1 : due?.remaining ?? -1 }

    func check() {
        guard !isTold, due?.remaining == 0 else { return }
        isTold = true
        tell(true)
    }

    /// Call at the end of the wait, whatever its result.
    func end() {
        if isTold { tell(false) }
    }
}
