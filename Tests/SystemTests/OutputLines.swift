// SPDX-License-Identifier: Apache-2.0

import Locks
import TestSupport

/// The lines that a program prints, one at a time.
final class OutputLines: Sendable {
    private let program: ChildProcess
    private let pending = Lock<[UInt8]>([])

    init(of program: ChildProcess) {
        self.program = program
    }

    /// The next line; empty at the end of the output.
    func next() async throws -> String {
        try await BlockingWork.run { [self] in
            while true {
                let found: String? = pending.withLock { bytes in
                    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                    defer { bytes.removeSubrange(...end) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                if let found { return found }
                let piece = program.readOutput()
                if piece.isEmpty { return "" }
                pending.withLock { $0 += piece }
            }
        }
    }
}
