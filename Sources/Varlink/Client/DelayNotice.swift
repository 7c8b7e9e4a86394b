// SPDX-License-Identifier: Apache-2.0

/// Tells once that a reply takes long.
final class DelayNotice {
    private static let patience = Duration.seconds(1)

    private let due = Deadline(after: DelayNotice.patience)
    private let tell: () -> Void
    private var isTold = false

    init(_ tell: @escaping () -> Void) {
        self.tell = tell
    }

    /// For poll(2): milliseconds until `check` has something to do, -1 for never.
    var remaining: Int32 { isTold ? -1 : due?.remaining ?? -1 }

    func check() {
        guard !isTold, due?.remaining == 0 else { return }
        isTold = true
        tell()
    }
}
