// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Prompts

@Suite("Prompting through a pinentry", .timeLimit(.minutes(1)))
struct PinentryTests {
    private let directory = TemporaryDirectory()

    /// A program that follows the protocol of a pinentry, or violates it.
    private func pinentry(_ script: String, _ environment: [String: String] = [:]) -> Pinentry {
        directory.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "pinentry", mode: 0o700)
        return Pinentry(directory.path(of: "pinentry"), Environment(environment))
    }

    /// Accepts every command, records it, and answers the question as the test specifies.
    private func speaker(_ answer: String, _ environment: [String: String] = [:]) -> Pinentry {
        let script = """
            echo "OK hello"
            env > '\(directory.path(of: "env"))'
            while read -r line; do
                printf '%s\\n' "$line" >> '\(directory.path(of: "said"))'
                case $line in
                    GETPIN|CONFIRM) printf '%s\\n' '\(answer)' ;;
                    *) echo OK ;;
                esac
            done
            """
        return pinentry(script, environment)
    }

    private var said: String { String(decoding: directory.content(of: "said"), as: UTF8.self) }

    @Test("the facts, the remark and the label are shown, and the answer is decoded")
    func secret() async throws {
        let asked = try Asked(speaker("D p%25w\nS note\nD d\nOK", ["GPG_TTY": "/dev/pts/7", "TERM": "xterm"]))
        #expect(try await asked.answer(.secret, ["server: 100%", "url: x"]) == "p%wd")
        #expect(
            said.contains("\nSETDESC server: 100%25%0Aurl: x\nSETPROMPT Password:\nSETERROR the server refused it\n")
        )
        #expect(said.contains("OPTION ttyname=/dev/pts/7\nOPTION ttytype=xterm\n") && said.hasSuffix("GETPIN\n"))
    }

    @Test("a pinentry gets the variables for its display, and no others")
    func environment() async throws {
        let asked = try Asked(speaker("OK", ["DISPLAY": ":7", "RELATIVITYD_SOCKET": "x", "LD_PRELOAD": "y"]))
        _ = try await asked.answer()
        let variables = String(decoding: directory.content(of: "env"), as: UTF8.self)
        #expect(variables.contains("DISPLAY=:7\n"))
        #expect(!variables.contains("RELATIVITYD") && !variables.contains("LD_PRELOAD"))
    }

    @Test("an approval is a CONFIRM")
    func agreement() async throws {
        #expect(try await Asked(speaker("OK")).answer(.agreement) == "")
        #expect(said.contains("SETDESC server: here%0A%0APassword?\n") && said.hasSuffix("CONFIRM\n"))
    }

    @Test(
        "a refusal of the user is distinguished from a failure of the pinentry",
        arguments: [
            ("ERR 83886179 cancelled", PromptError.dismissed),
            ("ERR 83886194 not confirmed", .dismissed),
            ("ERR 83886142 timeout", .unanswered(.zero)),
            ("ERR 83886249 no terminal", .failed(reason: "it answers with error 169")),
            ("INQUIRE X", .failed(reason: "it does not speak the protocol of a pinentry")),
            ("D %zz", .failed(reason: "its answer is too long, or malformed")),
            ("D a%00b\nOK", .failed(reason: "its answer holds a NUL")),
        ]
    )
    func refusals(answer: String, error: PromptError) async throws {
        let asked = try Asked(speaker(answer))
        await #expect(throws: error) { try await asked.answer() }
    }

    @Test(
        "a program that is not a pinentry is detected",
        arguments: [
            ("echo garbage", "it does not speak the protocol of a pinentry"),
            ("exit 3", "the pinentry has ended"),
            ("echo OK; exit 3", "the pinentry has ended"),
            ("exec tr '\\0' x </dev/zero", "it sends a line without an end"),
            ("exec yes '# x'", "its answer has no end"),
            ("echo 'ERR 1 no'", "it does not start"),
            (
                "echo OK; while read -r line; do case $line in SETDESC*) echo ERR 5;; *) echo OK;; esac; done",
                "it refuses SETDESC with error 5"
            ),
            (
                "echo OK; while read -r line; do case $line in GETPIN) exec yes D $line$line$line;; *) echo OK;; esac; done",
                "its answer has no end"
            ),
        ]
    )
    func faults(script: String, reason: String) async throws {
        let asked = try Asked(pinentry("PATH=/usr/bin:/bin\n" + script))
        await #expect(throws: PromptError.failed(reason: reason)) { try await asked.answer() }
    }

    @Test("a pinentry that does not answer is abandoned when the question times out or is withdrawn")
    func silence() async throws {
        let silent = pinentry("PATH=/usr/bin:/bin; echo OK; exec sleep 60")
        await #expect(throws: PromptError.unanswered(.zero)) {
            try await Asked(silent, within: .milliseconds(-900)).answer()
        }
        let asked = try Asked(silent)
        asked.stop.give()
        await #expect(throws: PromptError.stopped) { try await asked.answer() }
    }

    @Test("a missing pinentry is reported as noWay")
    func missing() async throws {
        let asked = try Asked(Pinentry(directory.path(of: "none"), Environment([:])))
        await #expect(throws: PromptError.noWay(reason: "the pinentry cannot be started: No such file or directory")) {
            try await asked.answer()
        }
    }

    /// Debian's pinentries, what the user types, and the answer; nil for a refusal.
    private static let dialogs: [(program: String, typed: String, answer: String?)] = [
        ("pinentry-curses", "p\u{E4}ss %w\r", "p\u{E4}ss %w"), ("pinentry-curses", "\t\t\r", nil),
        // The end of input.
        ("pinentry-tty", "p\u{E4}ss %w\n", "p\u{E4}ss %w"), ("pinentry-tty", "\u{4}", nil),
    ]

    @Test(
        "an installed pinentry prompts on the terminal that GPG_TTY names",
        .enabled(
            if: Requirement.allMet([.program("pinentry-curses"), .program("pinentry-tty")]),
            "needs pinentry-curses and pinentry-tty"
        ),
        arguments: dialogs
    )
    func installed(program: String, typed: String, answer: String?) async throws {
        let terminal = try PseudoTerminal(size: (25, 100))
        let environment = ["GPG_TTY": terminal.path, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin"]
        let asked = try Asked(Pinentry("/usr/bin/\(program)", Environment(environment)))
        async let outcome = Result { try await asked.answer(.secret, ["server: the one in the cellar"]) }
        try await terminal.wait(for: "the one in the cellar", "Password:", "the server refused it")
        terminal.type(typed)
        switch await outcome {
        case .success(let text): #expect(text == answer)
        case .failure(let error): #expect(error as? PromptError == .dismissed && answer == nil)
        }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
