// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// How what only root may do is done by the user of this process.
enum RootAccess: Equatable {
    case sudo
    /// There is no sudo: the user is root, or becomes it in another way.
    case itself
    /// Inside of a sandbox, which has no say about the machine: what it is.
    case outside(of: String)

    /// - Parameters:
    ///   - exists: whether there is such a file.
    init(_ environment: Environment, exists: (String) -> Bool) {
        let path: [String] = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
        if exists("/.flatpak-info") {
            self = .outside(of: "flatpak")
        } else if environment["SNAP"] != nil {
            self = .outside(of: "snap")
        } else if environment["container"] != nil {
            // As systemd, podman, toolbox and others say it to what they run.
            self = .outside(of: "container")
        } else {
            self = (path + ["/usr/bin", "/usr/local/bin"]).contains { exists("\($0)/sudo") } ? .sudo : .itself
        }
    }

    static func gathered(_ environment: Environment) -> RootAccess {
        RootAccess(environment) { access($0, F_OK) == 0 }
    }

    /// The same finding for this user: what sudo is needed for is no command where there is none.
    func adapted(_ finding: Finding) -> Finding {
        guard self != .sudo, case .command(let command)? = finding.remedy else { return finding }
        let plain = Self.withoutSudo(command)
        guard plain != command else { return finding }
        var finding = finding
        switch self {
        case .sudo: break
        case .itself: finding.remedy = geteuid() == 0 ? .command(plain) : .advice("as root: \(plain)")
        case .outside(let kind): finding.remedy = .advice("outside of this \(kind), as root of the machine: \(plain)")
        }
        return finding
    }

    /// The steps of a command as root types them.
    private static func withoutSudo(_ command: String) -> String {
        ["&& ", "| "].reduce(command.hasPrefix("sudo ") ? String(command.dropFirst(5)) : command) { text, joint in
            text.replacing("\(joint)sudo ", with: joint)
        }
    }
}
