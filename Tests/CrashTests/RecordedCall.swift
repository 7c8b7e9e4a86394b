// SPDX-License-Identifier: Apache-2.0

/// One system call of a recorded save.
struct RecordedCall: Hashable, CustomStringConvertible {
    let name: String
    /// The arguments in the notation of `strace -y`.
    let arguments: [String]
    let result: String
    /// The number of calls of this name so far, including this one, as strace counts them.
    let ordinal: Int

    /// - Parameter line: a line of strace, for example `fsync(5</tmp/x>) = 0`.
    init?(_ line: Substring, after earlier: [RecordedCall]) {
        guard let match = line.firstMatch(of: /^(\w+)\((.*)\) += (.+)$/) else { return nil }
        name = String(match.1)
        arguments = match.2.split(separator: ", ").map(String.init)
        result = String(match.3)
        ordinal = 1 + earlier.count { $0.name == match.1 }
    }

    var description: String { "\(name) \(ordinal)" }

    /// The file that a descriptor refers to.
    static func path(in text: String) -> String? {
        text.firstMatch(of: /^(?:\d+|AT_FDCWD)<([^>]*)>/).map { String($0.1) }
    }

    /// The path of a name in quotes that follows a descriptor of its directory.
    func path(at index: Int) -> String? {
        guard index + 1 < arguments.count, let directory = Self.path(in: arguments[index]) else { return nil }
        let name = arguments[index + 1].dropFirst().dropLast()
        return name.hasPrefix("/") ? String(name) : name == "." ? directory : directory + "/" + name
    }
}
