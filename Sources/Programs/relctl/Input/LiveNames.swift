// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Varlink

/// What a shell offers when TAB is pressed: asked of the daemon, and nothing where that does not answer at once.
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

    private static func words(
        of call: some VarlinkMethodCall,
        _ list: String,
        _ members: Set<String>,
        _ word: (JSONObject) throws -> String?
    ) -> [String] {
        // Whoever presses TAB wants no errors between the letters.
        guard let reply = try? DaemonClient().json(call, onlyMembers: members, within: .milliseconds(500)),
            let objects = try? reply.objects(list)
        else { return [] }
        return objects.compactMap { try? word($0) }
    }
}

/// A name that a shell may offer in the place of a word.
struct CompletionName {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The name as the completion script of the shell takes it. The shell itself quotes spaces on the line.
    ///
    /// - Returns: nil for a name that a shell could take for more than a name. bash even runs `$(...)` in what it is given,
    ///   and names come from the network.
    func offered(to shell: CompletionShell? = .requesting) -> String? {
        guard isHarmless else { return nil }
        switch shell {
        case .bash?:
            // readline breaks a word at these.
            guard !name.contains(":"), !name.contains("=") else { return nil }
            // The list is expanded once.
            return "'\(name)'"
        // A description would follow the colon.
        case .zsh?: return name.replacing(":", with: #"\:"#)
        default: return name
        }
    }

    /// Letters and digits of every script, single spaces between them, and a few signs.
    private var isHarmless: Bool {
        !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ") && !name.contains("  ")
            && "\(Printable(name, columns: 256))" == name
            && name.unicodeScalars.allSatisfy { scalar in
                let properties = scalar.properties
                return properties.isAlphabetic || properties.numericType != nil
                    || " ._-@/+:=".unicodeScalars.contains(scalar)
            }
    }
}
