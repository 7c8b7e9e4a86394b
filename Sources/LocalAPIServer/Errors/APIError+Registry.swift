// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform
import Registry

extension APIError {
    init(_ error: RegistryError) {
        let text = "\(error)"
        switch error {
        case .notFound: self.init(.endpointNotFound, text, hint: "relctl list")
        case .ambiguous(_, let candidates):
            let ids: [JSONValue] = candidates.map { .string($0.text) }
            self.init(.endpointAmbiguous, text, hint: "use one of the ids", details: ["candidates": .array(ids)])
        case .nameTaken, .alreadyAdded: self.init(.endpointExists, text, hint: "relctl list")
        case .invalidName: self.init(.invalidEndpoint, text)
        case .notManual(let name), .configured(let name):
            self.init(.endpointNotManual, text, hint: "relctl hide \(ShellWord.quote(name))")
        case .full: self.init(.notSaved, text, hint: "relctl endpoint remove NAME")
        case .listTooNew:
            self.init(.formatTooNew, text, hint: "to begin a new list instead, move the old one away: relctl status")
        case .notSaved:
            self.init(.notSaved, text, hint: "see that the data directory can be written and that its disk has room")
        case .tooManyWatchers, .watcherTooSlow: self.init(.watcherTooSlow, text, hint: "relctl watch")
        }
    }

    init(_ error: ServerURLError) {
        self.init(.invalidEndpoint, "\(error)", hint: "for example 192.168.0.150 or http://HOST:7099/bin")
    }
}
