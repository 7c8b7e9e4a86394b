// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The modes, control characters and speeds of a terminal.
struct TerminalSettings: Equatable {
    private let bytes: [UInt8]
    let hasEcho: Bool
    let takesLines: Bool

    /// Returns nil if the path is not a terminal.
    init?(of path: String) {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        self.init(descriptor)
    }

    init?(_ descriptor: Int32) {
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else { return nil }
        hasEcho = modes.c_lflag & tcflag_t(ECHO) != 0
        takesLines = modes.c_lflag & tcflag_t(ICANON) != 0
        // Padding is not compared.
        let flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag, modes.c_ispeed, modes.c_ospeed]
        bytes =
            flags.flatMap { flag in withUnsafeBytes(of: flag) { Array($0) } }
            + withUnsafeBytes(of: modes.c_cc) { Array($0) } + [modes.c_line]
    }
}
