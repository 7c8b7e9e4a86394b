// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Completion in the shell", .timeLimit(.minutes(5)))
struct CompletionTests {
    /// Completes the line in `$LINE` in bash with the script in `$SCRIPT`.
    private static let program = """
        source "$SCRIPT"; COMP_LINE=$LINE; COMP_POINT=${#LINE}; COMP_WORDS=($LINE "")
        COMP_CWORD=$WORDS
        _relctl; printf '%s\\n' "${COMPREPLY[@]}"
        """

    @Test("existing servers and logins are offered, by ID if a shell could expand their name")
    func names() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let trap = deployment.home.path(of: "trap")
        try await deployment.success("add", "$(touch \(trap))", "127.0.0.1:1")
        try await deployment.success("add", "`touch \(trap)`;x", "127.0.0.1:2")
        try await deployment.success("login", "rename", Deployment.login, "everyday")
        let ids = try #require(try await deployment.json("list").arrayValue)
            .compactMap(\.objectValue).filter { try $0.string("name") != "sample" }.map { try $0.string("id") }
        #expect(ids.count == 2)
        let script = deployment.home.path(of: "completion")
        let text = try await deployment.success("--generate-completion-script", "bash")
        deployment.home.write(Array(text.utf8), to: "completion")

        func offered(_ line: String) async throws -> Set<String> {
            var environment = deployment.environment
            environment["SCRIPT"] = script
            environment["LINE"] = line
            environment["WORDS"] = "\(line.split(separator: " ").count)"
            let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
            environment["PATH"] = "/\(programs):/usr/bin:/bin"
            let output = try await Command(["bash", "-c", Self.program], environment: environment).run()
            #expect(output.status == 0, "\(output)")
            return Set(output.standardOutput.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
        }
        #expect(try await offered("relctl show ").isSuperset(of: ids + ["sample"]))
        #expect(try await offered("relctl table get sample ").isDisjoint(with: ["Deps", "Users"]))
        try await deployment.success("table", "list", "sample")
        let logins = deployment.requests(of: "LoginService.LoginEx")
        #expect(try await offered("relctl table get sample ").isSuperset(of: ["Deps", "Users"]))
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins)
        #expect(try await offered("relctl watch ").contains("sample"))
        try await deployment.success("add", "Head office", "127.0.0.1:3")
        #expect(try await offered("relctl connect ").isSuperset(of: ["sample", "Head office"]))
        #expect(try await offered("relctl sho").contains("show"))
        #expect(access(trap, F_OK) != 0)

        try await started.daemon.end()
        #expect(try await offered("relctl show ").isDisjoint(with: ids + ["sample"]))
    }

    /// Types each argument into the shell in `$INTERACTIVE`, on a separate terminal, and prints the line after a Tab.
    /// The key after it makes the shell write its line to a file.
    private static let typist = """
        zmodload zsh/zpty zsh/zselect
        await() { until [[ -s $HOME/$1 ]] { zpty -rt child seen; zselect -t 2 } }
        zpty child "$INTERACTIVE"
        zpty -w child ". $HOME/setup; echo yes >$HOME/ready"
        await ready
        for line in "$@"; do
            zpty -w -n child "$line"$'\\t\\x18'
            await line
            cat $HOME/line; rm $HOME/line
        done
        zpty -d child
        """

    @Test(
        "bash, zsh and fish complete verbs, options and the names of servers and logins on Tab",
        .enabled(if: Requirement.allMet([.program("zsh"), .program("fish")]), "needs zsh and fish"),
        arguments: [
            (
                "bash", "bash --norc -i",
                """
                source $HOME/functions/_relctl; bind 'set keyseq-timeout 50'
                show() { printf '%s\\n' "$READLINE_LINE" >$HOME/new; mv $HOME/new $HOME/line; READLINE_LINE=; }
                bind -x '"\\C-x": show'
                """
            ),
            (
                "zsh", "zsh -f -i",
                """
                fpath=($HOME/functions $fpath); autoload -Uz compinit; compinit -u -D
                show() { print -r -- "$BUFFER" >$HOME/new; mv $HOME/new $HOME/line; BUFFER= }
                zle -N show; bindkey '^X' show
                """
            ),
            (
                "fish", "fish --no-config",
                """
                source $HOME/functions/_relctl
                bind \\cx 'commandline >$HOME/new; mv $HOME/new $HOME/line; commandline ""'
                """
            ),
        ]
    )
    func typed(shell: String, interactive: String, setup: String) async throws {
        let deployment = try await Deployment.withLogin()
        try await deployment.success("add", "Head office", "127.0.0.1:1")
        try await deployment.success("add", "10.0.0.1:7100", "127.0.0.1:2")
        try await deployment.success("add", "key=value", "127.0.0.1:3")
        try await deployment.success("login", "rename", Deployment.login, "every day")
        let pin = try await deployment.fingerprint(of: "sample")
        for name in ["clerk@10.0.0.1:7100", "odd=one"] {
            try await deployment.success(
                [
                    "login", "add", "sample", "--user", "u", "--name", name, "--pin", pin, "--allow-plaintext",
                    "--no-test", "--password-stdin",
                ],
                input: "x\n"
            )
        }
        let script = try await deployment.success("--generate-completion-script", shell)
        mkdir(deployment.home.path(of: "functions"), 0o700)
        deployment.home.write(Array(script.utf8), to: "functions/_relctl")
        deployment.home.write(Array((setup + "\n").utf8), to: "setup")
        deployment.home.write(Array(Self.typist.utf8), to: "typist")
        let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
        var environment = deployment.environment
        environment["PATH"] = "/\(programs):/usr/bin:/bin"
        environment["TERM"] = "xterm"
        environment["INTERACTIVE"] = interactive
        try await deployment.success("table", "list", "sample", "--login", "every day")
        let lines = [
            "relctl en", "relctl vault slot a", "relctl login add --allow", "relctl show sam", "relctl connect Head",
            #"relctl hide Head\ o"#, "relctl login test ev",
            // Short names of nouns and verbs, also behind an option of every verb.
            "relctl server sho", "relctl server rm sam", "relctl ls --al", "relctl rm --y", "relctl logs --js",
            "relctl rename sam", "relctl login ls --q", "relctl login rm ev", "relctl vault slot ls --q",
            "relctl --json server hide sam",
            // Characters at which readline breaks words.
            "relctl show 10.0.0.1:7", "relctl show 10.0.0.1:", "relctl hide key=", #"relctl show "10.0.0.1:7"#,
            "relctl login test clerk@10", "relctl login rm clerk@10.0.0.1:", "relctl login rename odd=",
            "relctl adapter open --login clerk@10.0.0.1:7", "relctl show 10", "relctl table get sample Us",
        ]
        // bash quotes what it would break a word at.
        let (colon, at) = shell == "bash" ? (#"\:"#, #"\@"#) : (":", "@")
        let output = try await Command(
            ["zsh", "-f", deployment.home.path(of: "typist")] + lines,
            environment: environment
        ).run(deadline: .seconds(150))
        #expect(
            output.standardOutput.split(separator: "\n").map { line in line.trimmingSuffix { $0 == " " } } == [
                "relctl endpoint", "relctl vault slot add", "relctl login add --allow-plaintext", "relctl show sample",
                #"relctl connect Head\ office"#, #"relctl hide Head\ office"#, #"relctl login test every\ day"#,
                "relctl server show", "relctl server rm sample", "relctl ls --all", "relctl rm --yes",
                "relctl logs --json", "relctl rename sample", "relctl login ls --quiet", #"relctl login rm every\ day"#,
                "relctl vault slot ls --quiet", "relctl --json server hide sample",
                "relctl show 10.0.0.1:7100", "relctl show 10.0.0.1:7100", "relctl hide key=value",
                #"relctl show "10.0.0.1:7100""#, "relctl login test clerk\(at)10.0.0.1\(colon)7100",
                "relctl login rm clerk@10.0.0.1:7100", "relctl login rename odd=one",
                "relctl adapter open --login clerk@10.0.0.1:7100", "relctl show 10.0.0.1\(colon)7100",
                "relctl table get sample Users",
            ],
            "\(output)"
        )
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isLeft: (Character) -> Bool) -> String {
        String(reversed().drop(while: isLeft).reversed())
    }
}
