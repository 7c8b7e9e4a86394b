// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Testing

@testable import relctl

@Suite("Parts of relctl's output")
struct OutputTests {
    @Test(
        "the help in a hint is that of the verb",
        arguments: [
            (["endpoint", "set", "x", "--scheme"], "relctl endpoint set --help"),
            (["vault", "slot", "add"], "relctl vault slot add --help"), (["add", "x"], "relctl add --help"),
            (["--json"], "relctl --help"), ([], "relctl --help"), (["vault"], "relctl vault --help"),
        ]
    )
    func help(words: [String], command: String) {
        #expect(VerbPath(words).help == command)
    }

    @Test(
        "what asks for no completion script, or for that of another shell, is left to the parser",
        arguments: [
            [], ["list"], ["--generate-completion-script", "csh"], ["--generate-completion-script", "zsh", "x"],
        ]
    )
    func noScript(arguments: [String]) {
        #expect(CompletionScript(arguments) == nil)
    }

    @Test(
        "a URL without a port is detected, for any host",
        arguments: [
            ("http://srv", 80, true), ("http://srv/bin", 80, true), ("https://srv/a:b", 443, true),
            ("http://[fe80::1%eth0]/bin", 80, true), ("http://srv:80/bin", 80, false),
            ("http://[::1]:80/bin", 80, false), ("srv", 7099, false), ("http://srv:7099", 7099, false),
        ] as [(String, Int64, Bool)]
    )
    func port(address: String, port: Int64, isMissing: Bool) {
        #expect((MissingPort(in: address, port: port) != nil) == isMissing)
    }

    @Test("a link-local address has its interface's name, and any other stays unchanged")
    func addresses() {
        let loopback = if_nametoindex("lo")
        #expect(ShownAddress("fe80::1%\(loopback)").text == "fe80::1%lo")
        #expect(ShownAddress("fe80::1%99999999").text == "fe80::1%99999999")
        #expect(ShownAddress("10.0.0.1").text == "10.0.0.1")
        #expect(ShownAddress("nonsense").text == "nonsense")
    }

    @Test("a line escapes untrusted text once, and does not escape it again")
    func cells() {
        let name = "a\u{1B}\\"
        #expect(Columns([name, Printable(again: "'\(Printable(name))'")]).text == "a\\u{1B}\\\\  'a\\u{1B}\\\\'\n")
        #expect(Facts(["n": name, "s": Printable(name), "none": nil]).text == "n: a\\u{1B}\\\\\ns: a\\u{1B}\\\\\n")
    }
}
