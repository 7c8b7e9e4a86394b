// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite(
    "Servers that repeat the password, and the daemon's memory",
    .enabled(if: Requirement.allMet([.root, .program(Sources.python)]), "needs root and scripts/python-env.sh"),
    .timeLimit(.minutes(3))
)
struct RepeatedPasswordTests {
    /// After the canary, so that escaping these characters leaves it unchanged.
    private static let special = "&<\">=+% é"

    @Test("after a lock neither the daemon's memory nor any output contains it, in any form")
    func memory() async throws {
        let deployment = Deployment()
        // Root can read secrets in this memory, unlike in memfd_secret, so the search would find them.
        deployment.home.write(
            Array("[vault]\nmemory = \"mlock\"\n[probe]\nmode = \"off\"\n".utf8),
            to: "config/relativityd/relativityd.toml"
        )
        try await deployment.startDaemon()
        let server = try ChildProcess([Sources.python, Sources.root + "/Tests/Tools/echo_server.py"])
        var lines = server.outputLines(silence: .seconds(30)).makeAsyncIterator()
        let port = try #require(await lines.next())
        let password = Canary("password")
        try await deployment.success("add", "sample", "127.0.0.1:\(port)")
        try await deployment.initialiseVault()
        let added = try await deployment.addLogin(password: password.text + Self.special, options: ["--no-test"])
        #expect(added.status == 0, "\(added)")
        var outputs: [String] = []
        var forms: Set<String> = []
        while forms.count < 9 {
            let output = try await deployment.relctl("login", "test", Deployment.login)
            #expect(output.status != 0)
            outputs.append(output.standardOutput + output.standardError)
            forms.insert(try #require(await lines.next()))
        }
        let opened = try await deployment.relctl("adapter", "open", "sample")
        outputs.append(opened.standardOutput + opened.standardError)
        for index in 0..<9 {
            let path = deployment.home.path(of: "report.\(index)")
            let output = try await deployment.relctl("wire", "capture", "sample", "--out", path)
            #expect(output.status == 0, "\(output)")
            outputs.append(TextFile.text(of: path))
        }
        #expect(outputs.prefix(9).count { $0.contains("withheld because it repeats the password") } == 8)
        for text in outputs {
            for form in password.forms {
                #expect(!Array(text.utf8).contains(bytes: form.bytes), "\(form.name) is in \(text)")
            }
        }
        try await deployment.success("vault", "lock")
        let pid = Int(try #require(try await deployment.json("status").objectValue).integer("pid"))
        let found = try await SecretSearch(canaries: [password]).run(in: ["pid:\(pid)"])
        #expect(found.hits.isEmpty && found.searchedBytes > 1 << 20, "\(found.hits)")
        print("\(forms.count) forms, \(found.searchedBytes) bytes of memory searched: \(found.hits.count) hits")
        server.closeInput()
        _ = server.wait()
    }
}
