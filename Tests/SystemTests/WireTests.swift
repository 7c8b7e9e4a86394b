// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("relctl wire", .timeLimit(.minutes(1)))
struct WireTests {
    /// LoginService.Logout of the vendor's client.
    private let logout =
        "524f3130370000000000000067452301ab89efcd0123456789abcdef"
        + "0c0000004c6f67696e53657276696365060000004c6f676f7574"

    private func relctl(_ arguments: String..., input: String = "") async throws -> Command.Output {
        // Without a session, because the verb needs no daemon.
        let environment = ["XDG_RUNTIME_DIR": "/nonexistent", "HOME": "/nonexistent"]
        return try await Command([Products.path(of: "relctl"), "wire"] + arguments, environment: environment)
            .run(input: input)
    }

    @Test("a message in hexadecimal becomes JSON and the same hexadecimal again")
    func roundTrip() async throws {
        let spaced = logout.enumerated().map { $0.offset % 8 == 7 ? "\($0.element) \n" : "\($0.element)" }.joined()
        let document = try await relctl("decode", "--hex", input: spaced)
        #expect(document.status == 0, "\(document)")
        #expect(document.standardOutput.contains(#""value": "Logout""#))
        let again = try await relctl("encode", "--hex", "-", input: document.standardOutput)
        #expect(again.standardOutput == logout + "\n", "\(again)")
    }

    @Test("a stream of tables becomes JSON and the same hexadecimal again")
    func stream() async throws {
        // The vendor's client can read it: a table "Nothing" without columns.
        let stream =
            "444142494e32303029000000012100000000000000040000000000000000000000000000000000000001000000000000000700"
            + "00004e6f7468696e670c000000"
        let document = try await relctl("decode", "--hex", input: stream)
        #expect(document.standardOutput.contains(#""name": "Nothing""#), "\(document)")
        let again = try await relctl("encode", "--hex", input: document.standardOutput)
        #expect(again.standardOutput == stream + "\n", "\(again)")
    }

    @Test("files work like standard input, and a redacted document cannot be encoded")
    func files() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "message")
        let pipe =
            "printf %s \(logout) | \(Products.path(of: "relctl")) wire decode --hex | \(Products.path(of: "relctl"))"
            + " wire encode > \(path) && \(Products.path(of: "relctl")) wire decode --redact \(path)"
        let document = try await Command(["/bin/sh", "-c", pipe]).succeed()
        #expect(document.contains(#""redacted": true"#))
        #expect(!document.contains("01234567-89ab"))
        let refused = try await relctl("encode", input: document)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("--redact"), "\(refused)")
    }

    @Test(
        "other input is refused in one line",
        arguments: [
            (["decode"], "hello"), (["decode", "--hex"], "5x"), (["decode", "/nonexistent/\u{1B}[m"], ""),
            (["encode"], "[1]"), (["encode"], "{"), (["decode", "--hex", "--types", "what"], "00"),
        ]
    )
    func refusals(arguments: [String], input: String) async throws {
        let output = try await Command([Products.path(of: "relctl"), "wire"] + arguments).run(input: input)
        #expect(output.status == (arguments.last?.hasPrefix("/") == true ? 11 : 1), "\(output)")
        #expect(output.standardOutput.isEmpty)
        #expect(output.standardError.hasPrefix("relctl: error: "))
        #expect(output.standardError.split(separator: "\n").count == 1)
        #expect(!output.standardError.contains("\u{1B}"))
    }
}
