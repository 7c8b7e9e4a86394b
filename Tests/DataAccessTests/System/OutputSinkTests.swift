// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import TestSupport
import Testing

@Suite("Output to descriptors", .timeLimit(.minutes(1)))
struct OutputSinkTests {
    private static func table() throws -> DataTable {
        try .column("c", .wideString, (0..<50_000).map { .text("row \($0)") })
    }

    private static func write(to descriptor: Int32) throws {
        let table = try table()
        var writer = CSVWriter(OutputSink(descriptor))
        try writer.begin(table.head)
        try writer.add(table.rows, nil)
        try writer.finish()
    }

    @Test("a slow reader of a non-blocking pipe gets every byte")
    func slowReader() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        async let received = BlockingWork.run {
            var (bytes, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1000))
            while true {
                let count = read(input, &chunk, chunk.count)
                guard count > 0 else { return bytes }
                bytes += chunk[..<count]
            }
        }
        try await BlockingWork.run {
            try Self.write(to: output)
            close(output)
        }
        let bytes = try await received
        close(input)
        let expected = ["c"] + (0..<50_000).map { "row \($0)" }
        #expect(String(decoding: bytes, as: UTF8.self) == expected.map { $0 + "\r\n" }.joined())
    }

    @Test("a reader that has gone ends the output with a typed error")
    func closedPipe() throws {
        // The programs ignore SIGPIPE, the test must too.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(throws: FormatError.outputClosed) { try Self.write(to: ends[1]) }
    }

    @Test("a full disk is an error")
    func full() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(throws: FormatError.output(errno: ENOSPC)) { try Self.write(to: descriptor) }
    }
}
