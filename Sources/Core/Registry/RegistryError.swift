// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The reason why the registry refused a call.
package enum RegistryError: Error, Hashable {
    /// No endpoint has this ID or name. `nearest` is the most similar name; nil if none is similar.
    case notFound(reference: String, nearest: String? = nil)
    /// Several endpoints have the name, or an ID or name with this beginning.
    case ambiguous(reference: String, candidates: [EndpointID])
    /// Another added endpoint has this name.
    case nameTaken(String)
    /// The URL is that of another added endpoint, which has this name.
    case alreadyAdded(name: String)
    /// `EndpointName.isValid` rejects the name.
    case invalidName(String)
    /// The endpoint was only discovered, so there is nothing to remove.
    case notManual(name: String)
    /// The endpoint's name is the announced one, which cannot be changed.
    case namedByServer(name: String)
    /// The administrator configured the endpoint, so the user cannot change or remove it.
    case configured(name: String)
    /// The list already has this many endpoints.
    case full(limit: Int)
    /// The list could not be written to disk. The change was rolled back.
    case notSaved(reason: String)
    /// A later version wrote the list on disk, so it is not overwritten. The change was rolled back.
    case listTooNew(reason: String)
    /// There are already this many watchers.
    case tooManyWatchers(limit: Int)
    /// The watcher did not read for too long, so changes for it were dropped.
    case watcherTooSlow
}

extension RegistryError: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    package var description: String {
        switch self {
        case .notFound(let reference, let nearest):
            "no endpoint '\(Printable(reference))'"
                + (nearest.map { "; the nearest one is '\(Printable($0))'" } ?? "")
        case .ambiguous(let reference, let candidates):
            "'\(Printable(reference))' matches several endpoints: "
                + candidates.map(\.text).joined(separator: ", ")
        case .nameTaken(let name): "an endpoint named '\(Printable(name))' was already added"
        case .alreadyAdded(let name): "this server was already added as '\(Printable(name))'"
        case .invalidName(let name):
            "'\(Printable(name))' is not a valid name: use 1 to 63 bytes of printable text that do not begin with -"
        case .notManual(let name):
            "'\(Printable(name))' was not added by the user: it is removed when its server is no longer announced"
        case .namedByServer(let name):
            "'\(Printable(name))' is the announced name of the server: add the server to give it another name"
        case .configured(let name):
            "'\(Printable(name))' was configured by the administrator of this machine, and is removed with its logins"
        case .full(let limit): "the limit of \(limit) added endpoints is reached"
        case .notSaved(let reason): "the list of endpoints could not be saved: \(reason)"
        case .listTooNew(let reason): "the list of endpoints is not overwritten: \(reason)"
        case .tooManyWatchers(let limit): "the limit of \(limit) watchers is reached"
        case .watcherTooSlow: "the watcher read too slowly and missed changes"
        }
    }
}

/// A group of endpoints that are counted together.
package struct EndpointGroup: Sendable, Hashable {
    /// The origin of the endpoints.
    package let origin: Origin
    /// The state of the endpoints.
    package let state: EndpointState

    /// The group with this origin and state.
    package init(origin: Origin, state: EndpointState) {
        self.origin = origin
        self.state = state
    }
}
