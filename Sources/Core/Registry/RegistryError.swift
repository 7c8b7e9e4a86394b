// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Why the registry refused.
package enum RegistryError: Error, Hashable {
    case notFound(reference: String)
    /// Several endpoints carry the name, or a name or id that begins so.
    case ambiguous(reference: String, candidates: [EndpointID])
    case nameTaken(String)
    case alreadyAdded(name: String)
    case invalidName(String)
    case notManual(name: String)
    /// The name is the one that the server announces.
    case namedByServer(name: String)
    /// The administrator laid it down.
    case configured(name: String)
    case full(limit: Int)
    case notSaved(reason: String)
    /// The list that is on the disk was written by a later version, and stays as it is.
    case listTooNew(reason: String)
    case tooManyWatchers(limit: Int)
    /// The watcher did not read for too long and has lost its place.
    case watcherTooSlow
}

extension RegistryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(let reference): "no endpoint '\(Printable(reference))'"
        case .ambiguous(let reference, let candidates):
            "'\(Printable(reference))' may be one of several endpoints: "
                + candidates.map(\.text).joined(separator: ", ")
        case .nameTaken(let name): "an endpoint named '\(Printable(name))' was already added"
        case .alreadyAdded(let name): "this server was already added as '\(Printable(name))'"
        case .invalidName(let name):
            "'\(Printable(name))' is no name: use 1 to 63 bytes of printable text that do not begin with -"
        case .notManual(let name):
            "'\(Printable(name))' was not added by hand: it goes when its server no longer announces itself"
        case .namedByServer(let name):
            "'\(Printable(name))' is the name that the server announces: add the server by hand to name it"
        case .configured(let name):
            "'\(Printable(name))' was laid down by the administrator of this machine, and goes with its logins"
        case .full(let limit): "there are \(limit) endpoints added by hand already, the limit"
        case .notSaved(let reason): "the list of endpoints could not be saved: \(reason)"
        case .listTooNew(let reason): "the list of endpoints is not written over: \(reason)"
        case .tooManyWatchers(let limit): "there are \(limit) watchers already, the limit"
        case .watcherTooSlow: "the watcher read too slowly and lost its place"
        }
    }
}

/// What endpoints are counted by.
package struct EndpointGroup: Sendable, Hashable {
    package let origin: Origin
    package let state: EndpointState

    package init(origin: Origin, state: EndpointState) {
        self.origin = origin
        self.state = state
    }
}
