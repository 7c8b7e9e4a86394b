// SPDX-License-Identifier: Apache-2.0

/// One call of each verb that uses the daemon, such that it succeeds with `StandIn`.
struct VerbUse: Sendable {
    /// The state of the vault of `StandIn`.
    enum Vault: Sendable { case unlocked, absent, troubled }

    /// The verb as it is typed after `relctl`. `list` also represents `endpoint list`; the same applies to the other
    /// short forms.
    let verb: String
    /// `<file>` is an existing file, `<new>` a name without a file, and `<directory>` a directory.
    let arguments: [String]
    let input: String
    let vault: Vault
    /// Whether its output contains texts of other hosts or of the daemon.
    let showsText: Bool

    init(
        _ verb: String,
        _ arguments: [String] = [],
        input: String = "",
        vault: Vault = .unlocked,
        showsText: Bool = true
    ) {
        self.verb = verb
        self.arguments = arguments
        self.input = input
        self.vault = vault
        self.showsText = showsText
    }

    var words: [String] { verb.split(separator: " ").map(String.init) + arguments }

    /// Whether the verb calls a method of this name for its own use, and shows little of the reply.
    func onlyLooks(_ method: String) -> Bool {
        ["Get", "GetIdentity", "GetStatus"].contains(method)
            && !["endpoint show", "vault status", "vault slot list", "status"].contains(verb)
    }

    static let all = endpoints + vaults + logins + adapters + daemon

    /// The long form of a short one, or nil.
    static func longForm(of verb: String) -> String? {
        ["list", "show", "watch", "wait", "add", "rename", "remove", "hide", "unhide"].contains(verb)
            ? "endpoint \(verb)" : nil
    }

    /// Verbs that print nothing of their own, or no text of the daemon, with the reason why they are not above.
    static let others = [
        "adapter env": "prints lines for a shell", "adapter run": "prints what its program prints",
        "sandbox": "prints what its program prints",
        "mcp serve": "speaks a protocol of JSON, and MCPTests speak it",
        "mcp config": "prints what was typed, as JSON",
        "journal": "becomes journalctl", "config check": "becomes relativityd",
        "wire decode": "becomes relativityd-data",
        "wire encode": "becomes relativityd-data", "doctor": "asks much more than the daemon",
        "table list": data, "table get": data, "table count": data, "table export": data, "table features": data,
        "table diff": data, "table copy": data, "table watch": data, "table insert": data, "table update": data,
        "table delete": data, "table edit": data, "table import": data, "table apply": data,
        "table pending list": data, "table pending drop": data, "schema show": data, "schema save": data,
        "schema code": data, "sql": data, "client new": data, "sqlite new": data,
        "briefcase save": data, "briefcase load": data, "briefcase list": data, "briefcase show": data,
        "briefcase diff": data, "briefcase refresh": data, "briefcase delete": data,
        "briefcase keep": data, "briefcase unkeep": data,
        "command list": data, "command run": data, "services": data, "call": data,
        "table browse": "is a program for a terminal",
        "default unset": "asks no daemon", "default show": "asks no daemon", "top": "is a program for a terminal",
    ]

    private static let data = "prints what relativityd-data prints"

    private static let fingerprint = ["--pin", StandIn.fingerprint, "--allow-plaintext"]
    private static let passphrase = "correct horse battery\n"

    private static let endpoints = [
        VerbUse("endpoint list"), VerbUse("endpoint show", ["x"]), VerbUse("endpoint watch"),
        VerbUse("endpoint wait", ["x"], showsText: false), VerbUse("endpoint add", ["x", "127.0.0.1"]),
        VerbUse("endpoint rename", ["x", "y"]),
        VerbUse("endpoint hide", ["x"], showsText: false), VerbUse("endpoint unhide", ["x"], showsText: false),
        VerbUse("endpoint remove", ["x", "--yes"]), VerbUse("endpoint set", ["x", "--path", "/bin"]),
        VerbUse("endpoint probe", ["x"], showsText: false),
        VerbUse("endpoint import", ["-"], input: "<x/>"), VerbUse("endpoint export", ["x"], showsText: false),
        VerbUse("endpoint pin", ["x"] + fingerprint), VerbUse("endpoint repin", ["x"] + fingerprint),
        VerbUse("endpoint forget", ["x"]), VerbUse("wire capture", ["x", "--out", "<new>"], showsText: false),
    ]

    private static let vaults = [
        VerbUse("vault init", ["--passphrase-stdin"], input: passphrase, vault: .absent),
        VerbUse("vault unlock", ["--provider", "passphrase", "--stdin"], input: passphrase),
        VerbUse("vault lock"), VerbUse("vault status", vault: .troubled),
        VerbUse("vault accept", ["--generation", "1", "--yes"]),
        VerbUse("vault upgrade", showsText: false), VerbUse("vault providers"), VerbUse("vault slot list"),
        VerbUse("vault slot add", ["--provider", "passphrase", "--stdin"], input: passphrase),
        VerbUse("vault slot remove", ["x"]), VerbUse("vault slot rewrap", ["x"]),
        VerbUse("vault slot label", ["x", "y"]),
        VerbUse("vault change-passphrase", ["--stdin"], input: passphrase + passphrase),
        VerbUse("vault rotate-key", ["--stdin"]), VerbUse("vault backup", ["--to", "<directory>"], showsText: false),
        VerbUse("vault restore", ["<file>", "--replace", "--stdin"], input: passphrase),
        VerbUse("vault export", ["--out", "<new>", "--stdin"], input: passphrase, showsText: false),
        VerbUse("vault import", ["<file>", "--yes", "--stdin"], input: passphrase),
    ]

    private static let logins = [
        VerbUse("login add", ["x", "--user", "u", "--password-stdin"] + fingerprint, input: "secret\n"),
        VerbUse("login list"), VerbUse("login show", ["x"]), VerbUse("login test", ["x"]),
        VerbUse("login edit", ["x", "--user", "u"]),
        VerbUse("login rename", ["x", "y"]), VerbUse("login remove", ["x", "--yes"], showsText: false),
        VerbUse("default set", ["x"], showsText: false),
    ]

    private static let adapters = [
        VerbUse(
            "connect",
            ["x", "--login", "x", "--user", "u", "--password-stdin"] + fingerprint,
            input: "secret\n"
        ),
        VerbUse("adapter open", ["x"]), VerbUse("adapter list"), VerbUse("adapter watch"),
        VerbUse("adapter close", ["x"], showsText: false),
        VerbUse("grant add", ["--login", "x", "--read-only"]), VerbUse("grant list"),
        VerbUse("grant revoke", ["x"], showsText: false),
    ]

    private static let daemon = [
        VerbUse("status"), VerbUse("metrics"), VerbUse("version"), VerbUse("audit list"), VerbUse("audit verify"),
        VerbUse("config show"),
    ]

    /// Runs `body` for every verb, this many at a time.
    static func each(atOnce: Int, _ body: @escaping @Sendable (VerbUse) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, use) in all.enumerated() {
                if index >= atOnce { try await group.next() }
                group.addTask { try await body(use) }
            }
            try await group.waitForAll()
        }
    }
}
