// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A requirement of a test on the machine.
///
/// Use it as a trait, `.enabled(if: Requirement.allMet([.root, .avahi]))`: if a requirement is not met, the test is
/// skipped with the reason. With CI=true nothing is skipped: the test runs, and fails for lack of its requirement.
package enum Requirement: Sendable {
    case root
    /// avahi-daemon, dbus-daemon and the tools of `lan.sh`.
    case avahi
    /// The user's keyring in the kernel, which containers often deny.
    case keyring
    /// A program in PATH, or one given by its absolute path.
    case program(String)

    package static func allMet(_ requirements: [Requirement], for test: String = #fileID) -> Bool {
        let missing = requirements.compactMap(\.missing)
        guard !missing.isEmpty else { return true }
        let isCI = getenv("CI").map { String(cString: $0) } == "true"
        let verdict = isCI ? "CI=true, so it runs and fails" : "skipped"
        writeLine("\(test): \(verdict): needs \(missing.joined(separator: ", "))")
        return isCI
    }

    private var missing: String? {
        switch self {
        case .root: geteuid() == 0 ? nil : "root, to make network namespaces"
        case .avahi:
            ["avahi-daemon", "dbus-daemon", "busctl", "unshare", "nsenter", "ip", "pgrep"]
                .first { !Self.isInstalled($0) }
        case .keyring: Self.keyringWorks ? nil : "a kernel keyring"
        case .program(let name): Self.isInstalled(name) ? nil : name
        }
    }

    private static var keyringWorks: Bool {
        let key = relx_key_add("relativityd:test:\(getpid())", "x", 1)
        guard key >= 0 else { return false }
        defer { _ = relx_key_remove(key) }
        var byte: UInt8 = 0
        return relx_key_read(key, &byte, 1) == 1
    }

    private static func isInstalled(_ program: String) -> Bool {
        if program.hasPrefix("/") { return access(program, X_OK) == 0 }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let directories = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
        return directories.contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    private static func writeLine(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
