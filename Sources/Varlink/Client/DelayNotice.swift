// SPDX-License-Identifier: Apache-2.0

/// Tells once that a reply takes long, and then that the wait is over.
final class DelayNotice {
    private static let patience = Duration.seconds(1)

    private let due = Deadline(after: DelayNotice.patience)
    private let tell: (Bool) -> Void
    private var isTold = false

    /// - Parameter tell: true when a wait has become long, false at the end of one that has.
    init(_ tell: @escaping (Bool) -> Void) {
        self.tell = tell
    }

    /// For poll(2): milliseconds until `check` has something to do, -1 for never.
    var remaining: Int32 { isTold ? -1 : due?.remaining ?? -1 }

    func check() {
        guard !isTold, due?.remaining == 0 else { return }
        isTold = true
        tell(true)
    }

    /// At the end of the wait, whatever came of it.
    func end() {
        if isTold { tell(false) }
    }
}
