// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal that only the test reads. Both ends are kept open, so that it keeps its settings.
final class TestTerminal: Sendable {
    struct Failed: Error {
        let what: String
    }

    private let screen: Int32
    private let keeper: Int32
    let path: String

    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which the module Glibc does not export.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    /// The time that a busy machine may need to start a program.
    private static let patience = Duration.seconds(60)

    init() throws {
        screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        guard screen >= 0, ioctl(screen, Self.setLock, &unlocked) == 0, ioctl(screen, Self.getNumber, &number) == 0
        else { throw Failed(what: "no terminal") }
        path = "/dev/pts/\(number)"
        keeper = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        close(keeper)
        close(screen)
    }

    var settings: TerminalSettings? { TerminalSettings(keeper) }

    func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(screen, $0.baseAddress, $0.count) }
    }

    /// Blocks until the text was shown.
    func wait(for text: String) throws {
        let end = ContinuousClock.now + Self.patience
        var shown = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !shown.contains(text) {
            var entries = [pollfd(fd: screen, events: Int16(POLLIN), revents: 0)]
            let ready = poll(&entries, 1, 100)
            guard ContinuousClock.now < end else {
                throw Failed(what: "'\(text)' was not shown: \(shown.debugDescription)")
            }
            guard ready > 0 else { continue }
            let count = read(screen, &buffer, buffer.count)
            shown += String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
