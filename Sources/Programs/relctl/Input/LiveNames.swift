// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform
import Varlink

/// Shell completions from the daemon; none if it does not reply within half a second.
enum LiveNames {
    static let endpoints = CompletionKind.custom { _, _, _ in
        let members: Set = ["endpoints", "id", "name", "hidden"]
        return words(of: RegistryAPI.ListCall(), "endpoints", members) { endpoint in
            guard try !endpoint.bool("hidden") else { return nil }
            return try CompletionName(endpoint.string("name")).offered() ?? endpoint.string("id")
        }
    }

    static let logins = CompletionKind.custom { _, _, _ in
        words(of: CredentialsAPI.ListLoginsCall(), "logins", ["logins", "name"]) { login in
            try CompletionName(login.string("name")).offered()
        }
    }

    static let adapters = CompletionKind.custom { _, _, _ in
        words(of: BrokerAPI.ListCall(), "adapters", ["adapters", "id"]) { try $0.string("id") }
    }

    static let grants = CompletionKind.custom { _, _, _ in
        words(of: BrokerAPI.ListGrantsCall(), "grants", ["grants", "id"]) { try $0.string("id") }
    }

    /// The tables of the endpoint in the command line, as the last read of its schema found them. Neither the daemon nor
    /// the server is asked, because that may prompt the user.
    static let tables = CompletionKind.custom { words, _, _ in
        known?.tables(for: words).compactMap { CompletionName($0).offered() } ?? []
    }

    /// The fields of the table in the command line, from the same read, after the part of a list that is typed already.
    static let fields = CompletionKind.custom { words, _, prefix in
        let typed = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
        return known?.fields(for: words).compactMap { CompletionName(typed + $0).offered() } ?? []
    }

    /// The fields of the table in the command line, as the beginning of `FIELD=VALUE`.
    static let values = CompletionKind.custom { words, _, _ in
        known?.fields(for: words).compactMap { CompletionName($0 + "=").offered() } ?? []
    }

    private static var known: TableNames? {
        guard let path = try? Directories(.ofProcess()).state,
            let directory = try? ProtectedDirectory(path, creating: false),
            let text = try? AtomicFile.read(TableNames.file, in: directory, maximumBytes: TableNames.maximumBytes)
        else { return nil }
        return TableNames(parsing: text)
    }

    private static func words(
        of call: some VarlinkMethodCall,
        _ list: String,
        _ members: Set<String>,
        _ word: (JSONObject) throws -> String?
    ) -> [String] {
        // An error message would disturb the line that the user is typing.
        guard let reply = try? DaemonClient().json(call, onlyMembers: members, within: .milliseconds(500)),
            let objects = try? reply.objects(list)
        else { return [] }
        return objects.compactMap { try? word($0) }
    }
}

/// A name that a shell may offer as a completion.
struct CompletionName {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The name in the form that the shell's completion script expects. The shell itself quotes spaces.
    ///
    /// - Returns: nil for a name with characters that a shell may interpret. bash even runs `$(...)` in completions,
    ///   and names come from the network.
    func offered(to shell: CompletionShell? = .requesting) -> String? {
        guard isHarmless else { return nil }
        switch shell {
        // The list is expanded once. `CompletionScript` cuts off what readline does not replace.
        case .bash?: return "'\(name)'"
        // A description would follow the colon.
        case .zsh?: return name.replacing(":", with: #"\:"#)
        default: return name
        }
    }

    /// Whether the name has only letters and digits of any script, single spaces, and a few harmless characters.
    private var isHarmless: Bool {
        !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ") && !name.contains("  ")
            && "\(Printable(name, columns: 256))" == name
            && name.unicodeScalars.allSatisfy { scalar in
                let properties = scalar.properties
                return properties.isAlphabetic || properties.numericType != nil
                    || " ._-@/+:=,".unicodeScalars.contains(scalar)
            }
    }
}
