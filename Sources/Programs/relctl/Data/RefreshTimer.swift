// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform

/// The timer that refreshes the kept tables, a unit of the user's systemd.
enum RefreshTimer {
    private static let unit = "relativityd-refresh.timer"

    /// Prints a note if the user's systemd runs, and the timer is not enabled.
    static func note(_ output: OutputOptions) throws {
        guard UserManager.isRunning, try !isEnabled() else { return }
        output.note(
            "relctl: note: the tables are refreshed by 'relctl briefcase refresh --kept', or every half an hour after "
                + "'systemctl --user enable --now \(unit)'\n"
        )
    }

    private static func isEnabled() throws -> Bool {
        let own = try UserPath.folder(of: Directories(.ofProcess()).configuration)
        return [own, "/etc"].contains { access("\($0)/systemd/user/timers.target.wants/\(unit)", F_OK) == 0 }
    }
}

/// The user's systemd.
enum UserManager {
    static var isRunning: Bool {
        let socket = SocketPath.usual()
        return access(socket.dropLast("/relativityd/relativityd.sock".count) + "/systemd/private", F_OK) == 0
    }
}
