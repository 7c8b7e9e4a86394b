// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failure of Linux or libcrypto, or an input that was rejected.
package enum PlatformError: Error, Hashable, CustomStringConvertible {
    /// A system call failed. `subject` is the path or name that it was for, empty if there is none.
    case system(call: String, subject: String, errno: Int32)
    /// A call of libcrypto failed. The data that it was given never causes this.
    case crypto(call: String)
    /// A file or directory that other users could read or replace. `fix` is a shell command.
    case unsafePermissions(path: String, reason: String, fix: String)
    /// A path that the user named leads to something that cannot be used as a file.
    case notRegular(path: String, FileKind)
    case tooLarge(subject: String, maximumBytes: Int)
    /// The locked memory for secrets has no free space of this size.
    case arenaExhausted(byteCount: Int)
    case secretTooLong(maximumBytes: Int)
    case secretHasNUL
    /// The input ended before any byte of the secret.
    case secretMissing
    /// `reason` says what is wrong with the text, without quoting any of it.
    case notARecoveryCode(reason: String)
    case noTerminal
    case noHome
    /// `RELATIVITYD_HOME` is not an absolute path.
    case relativeHome(path: String)
    case noRuntimeDirectory
    /// The path of a socket in the runtime directory would be longer than the kernel permits.
    case runtimeDirectoryTooLong(path: String, bytes: Int, maximumBytes: Int)

    /// Replaces the path of a temporary file by that of the file it was for, because users do not know the temporary
    /// name.
    package func about(_ path: String, insteadOf temporary: String) -> PlatformError {
        guard case .system(let call, temporary, let errno) = self else { return self }
        return .system(call: call, subject: path, errno: errno)
    }

    /// The error as a sentence, without a full stop.
    package var description: String {
        switch self {
        case .system(let call, let subject, let errno):
            let reason = String(cString: strerror(errno))
            return subject.isEmpty
                ? "\(call) failed: \(reason)" : "\(call) of \(ShellWord.quote(subject)) failed: \(reason)"
        case .crypto(let call):
            return "libcrypto failed in \(call)"
        case .unsafePermissions(let path, let reason, let fix):
            return "\(ShellWord.quote(path)) \(reason); try: \(fix)"
        case .notRegular(let path, let kind):
            return "\(ShellWord.quote(path)) is \(kind.rawValue), not a regular file"
        case .tooLarge(let subject, let maximumBytes):
            return "\(ShellWord.quote(subject)) is larger than \(maximumBytes) bytes"
        case .arenaExhausted(let byteCount):
            return "no space for a secret of \(byteCount) bytes in locked memory"
        case .secretTooLong(let maximumBytes):
            return "the secret is longer than \(maximumBytes) bytes"
        case .secretHasNUL:
            return "the secret contains a NUL byte"
        case .secretMissing:
            return "the input ended before a secret was read"
        case .notARecoveryCode(let reason):
            return "the recovery code \(reason)"
        case .noTerminal:
            return "there is no terminal to ask for the secret; pass it on a descriptor"
        case .noHome:
            return "HOME is not set to an absolute path"
        case .relativeHome(let path):
            return "\(Directories.variable) is not an absolute path: \(ShellWord.quote(path))"
        case .noRuntimeDirectory:
            return "XDG_RUNTIME_DIR is not set to an absolute path; log in through systemd-logind, or set it"
        case .runtimeDirectoryTooLong(let path, let bytes, let maximumBytes):
            return
                "the path of the runtime directory is too long for sockets in it: \(bytes) of at most \(maximumBytes) "
                + "bytes in \(ShellWord.quote(path))"
        }
    }
}
