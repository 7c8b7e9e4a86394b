// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import TestSupport

/// A terminal for a program under test, and the user at it.
final class PseudoTerminal: Sendable {
    struct NotThere: Error {}

    let path: String
    private let descriptor: Int32
    private static let getNumber: UInt = 0x8004_5430
    private static let setLock: UInt = 0x4004_5431
    private let shown = Lock<[UInt8]>([])

    init() throws {
        // The ioctls that posix_openpt(3), unlockpt(3) and ptsname(3) use; Swift does not import these functions.
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        guard descriptor >= 0, ioctl(descriptor, Self.setLock, &unlocked) == 0,
            ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw NotThere() }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 25, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(descriptor) }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Waits until all these texts were drawn.
    func wait(for texts: [String]) async throws {
        try await BlockingWork.run { [self] in
            let end = ContinuousClock.now + .seconds(60)
            while !texts.allSatisfy({ isShown($0) }) {
                guard ContinuousClock.now < end else { throw NotInTime(seconds: 60) }
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // Until a program opens the other end, poll(2) reports a hang-up immediately, and no event reports
                // the end of the hang-up.
                guard poll(&entry, 1, 50) > 0, entry.revents & Int16(POLLIN) != 0 else {
                    usleep(5_000)
                    continue
                }
                var piece = [UInt8](repeating: 0, count: 4_096)
                let count = read(descriptor, &piece, piece.count)
                shown.withLock { $0 += piece.prefix(max(0, count)) }
            }
        }
    }

    private func isShown(_ text: String) -> Bool {
        shown.withLock { String(decoding: $0, as: UTF8.self).contains(text) }
    }
}
