// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import Remoting

/// Measures the decoding of a reply of 1 MB: as one Binary, like tables, and as an array of structs.
///
///     wire-probe ROUNDS            prints a line of JSON for each reply: name, p50 in nanoseconds, bytes
///     wire-probe write DIRECTORY   writes the replies for Benchmarks/peers/decode_copy.c
@main
enum Probe {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "write" {
            for reply in SampleReply.all { write(reply, to: arguments[2]) }
        } else if arguments.count == 2, let rounds = Int(arguments[1]), rounds > 0 {
            for reply in SampleReply.all { measure(reply, rounds: rounds) }
        } else {
            print("usage: wire-probe ROUNDS | write DIRECTORY")
            exit(64)
        }
    }

    private static func measure(_ reply: SampleReply, rounds: Int) {
        var times: [Int] = []
        for _ in 0..<rounds {
            let start = nanoseconds()
            guard let value = try? reply.decode() else { exit(1) }
            times.append(nanoseconds() - start)
            // Releasing the value is not part of the measurement.
            withExtendedLifetime(value) {}
        }
        times.sort()
        let median = times[times.count / 2]
        print(#"{"name": "decode \#(reply.name)", "p50": \#(median), "bytes": \#(reply.bytes.readableBytes)}"#)
    }

    private static func nanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    private static func write(_ reply: SampleReply, to directory: String) {
        let path = "\(directory)/\(reply.name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let count = reply.bytes.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard close(descriptor) == 0, count == reply.bytes.readableBytes else { exit(1) }
    }
}
