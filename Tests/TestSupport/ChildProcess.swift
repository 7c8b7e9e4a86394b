// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that runs to its end, for tests that compare with other programs.
package enum ChildProcess {
    package struct Result: Sendable {
        /// The exit status, or 128 and the signal's number.
        package let status: Int32
        /// What it wrote to stdout.
        package let output: String
    }

    package struct Failure: Error {
        package let call: String
        package let errno: Int32
    }

    /// Looks the program up in PATH; stdin is empty, stderr is ours.
    package static func run(_ arguments: [String]) throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", errno: errno) }
        defer { close(ends[0]) }
        for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 { throw Failure(call: "fcntl", errno: errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var strings = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var child: pid_t = 0
        let spawned = posix_spawnp(&child, arguments[0], &actions, nil, &strings, environ)
        close(ends[1])
        guard spawned == 0 else { throw Failure(call: "posix_spawnp", errno: spawned) }
        let output = readAll(ends[0])
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(call: "waitpid", errno: errno) }
        }
        let signal = status & 0x7F
        return Result(status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: output)
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
