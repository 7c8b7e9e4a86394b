// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
