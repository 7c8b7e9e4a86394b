// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import relctl

@Suite("Names in shell completions")
struct CompletionNameTests {
    @Test("each shell gets a name as one word, spaces included")
    func quoting() {
        let name = CompletionName("Büro 7")
        #expect(name.offered(to: .bash) == "'Büro 7'")
        #expect(name.offered(to: .zsh) == "Büro 7" && name.offered(to: .fish) == "Büro 7")
        let address = CompletionName("10.0.0.1:80")
        #expect(address.offered(to: .bash) == "'10.0.0.1:80'")
        #expect(
            address.offered(to: .zsh) == #"10.0.0.1\:80"#
                && address.offered(to: .fish) == "10.0.0.1:80"
        )
    }

    @Test(
        "a name that a shell could expand is not offered",
        arguments: [
            "", "-x", " x", "x ", "a  b", "$(x)", "`x`", "a;b", "it's", "a\"b", "a\\b", "a\nb", "a\tb", "~x", "{a,b}",
            "*",
            "a\u{202E}b", "a|b", "a&b", "<x>", "#x", "!x",
        ]
    )
    func harmful(name: String) {
        for shell in [CompletionShell.bash, .zsh, .fish] {
            #expect(CompletionName(name).offered(to: shell) == nil)
        }
    }
}
