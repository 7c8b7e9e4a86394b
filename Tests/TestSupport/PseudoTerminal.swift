// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks

/// A terminal for a program under test, and the user at it. Both ends are kept open, so that it keeps its settings.
package final class PseudoTerminal: Sendable {
    /// The system has no free terminal.
    package struct Unavailable: Error {
        /// The only value.
        package init() {}
    }

    /// The path of the program's end.
    package let path: String
    /// The program's end, for tcgetattr(3).
    package let keeper: Int32
    /// The user's end.
    package let screen: Int32
    private let shown = Lock<[UInt8]>([])

    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which the module Glibc does not export.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// - Parameter size: of the window; nil for an unknown one.
    package init(size: (rows: UInt16, columns: UInt16)? = nil) throws {
        screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        guard screen >= 0, ioctl(screen, Self.setLock, &unlocked) == 0, ioctl(screen, Self.getNumber, &number) == 0
        else { throw Unavailable() }
        path = "/dev/pts/\(number)"
        keeper = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard let size else { return }
        var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &window)
    }

    deinit {
        close(keeper)
        close(screen)
    }

    /// Types keys.
    package func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(screen, $0.baseAddress, $0.count) }
    }

    /// Waits until all these texts were shown since the terminal was made.
    package func wait(for texts: String...) async throws {
        try await BlockingWork.run { [self] in
            let end = ContinuousClock.now + .seconds(60)
            while !texts.allSatisfy({ isShown($0) }) {
                guard ContinuousClock.now < end else { throw NotInTime(seconds: 60) }
                var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 100) > 0 else { continue }
                var piece = [UInt8](repeating: 0, count: 4_096)
                let count = read(screen, &piece, piece.count)
                shown.withLock { $0 += piece.prefix(max(0, count)) }
            }
        }
    }

    private func isShown(_ text: String) -> Bool {
        shown.withLock { String(decoding: $0, as: UTF8.self).contains(text) }
    }
}
