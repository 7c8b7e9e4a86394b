// SPDX-License-Identifier: Apache-2.0

/// The effect of a system call on a file system, as far as it matters for a crash.
enum FileOperation: Hashable {
    case create(String)
    /// Changes the content or length of a file.
    case change(String)
    case rename(String, String)
    case exchange(String, String)
    case remove(String)
    /// Makes the content of a file durable, or the names in a directory.
    case synchronize(String)

    /// - Returns: nil for a call that changes nothing, or that failed.
    init?(_ call: RecordedCall, existing: Set<String>) {
        guard !call.result.hasPrefix("-1") else { return nil }
        switch call.name {
        case "openat":
            guard let path = call.path(at: 0), call.arguments.contains(where: { $0.contains("O_CREAT") }),
                !existing.contains(path)
            else { return nil }
            self = .create(path)
        case "write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate":
            guard let path = RecordedCall.path(in: call.arguments[0]) else { return nil }
            self = .change(path)
        case "renameat", "renameat2":
            guard let old = call.path(at: 0), let new = call.path(at: 2) else { return nil }
            self = call.arguments.last == "RENAME_EXCHANGE" ? .exchange(old, new) : .rename(old, new)
        case "unlinkat":
            guard let path = call.path(at: 0) else { return nil }
            self = .remove(path)
        case "fsync", "fdatasync":
            guard let path = RecordedCall.path(in: call.arguments[0]) else { return nil }
            self = .synchronize(path)
        default:
            return nil
        }
    }

    /// The operations of a recorded save, in order.
    static func all(of recording: Recording, existing: Set<String>) -> [FileOperation] {
        var existing = existing
        return recording.calls.compactMap { call in
            let operation = FileOperation(call, existing: existing)
            if case .create(let path) = operation { existing.insert(path) }
            return operation
        }
    }
}
