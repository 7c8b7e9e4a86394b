// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// What a watch prints of servers: those that are hidden only when they were not before.
struct WatchLines {
    private let showsHidden: Bool
    /// Ids of those that the reader knows to be there.
    private var shown: Set<String> = []

    init(showsHidden: Bool) {
        self.showsHidden = showsHidden
    }

    /// - Parameter kind: `snapshot`, `added`, `changed` or `removed`.
    /// - Returns: nil where nothing is to be printed.
    mutating func line(_ kind: String, _ endpoint: RegistryAPI.Endpoint) -> String? {
        guard let word = word(kind, endpoint) else { return nil }
        return Columns([word, endpoint.name, StateWord(endpoint.state.rawValue), endpoint.url, endpoint.id]).text
    }

    private mutating func word(_ kind: String, _ endpoint: RegistryAPI.Endpoint) -> String? {
        let wasShown = shown.contains(endpoint.id)
        if kind == "removed" {
            shown.remove(endpoint.id)
            return wasShown ? kind : nil
        }
        guard showsHidden || !endpoint.hidden else {
            shown.remove(endpoint.id)
            return wasShown ? "hidden" : nil
        }
        shown.insert(endpoint.id)
        switch kind {
        case "snapshot": return "present"
        case "changed" where !wasShown: return "unhidden"
        default: return kind
        }
    }
}
