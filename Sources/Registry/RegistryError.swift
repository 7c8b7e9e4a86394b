// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Why the registry refused.
package enum RegistryError: Error, Hashable {
    case notFound(reference: String)
    /// Several endpoints carry the name.
    case ambiguous(reference: String, candidates: [EndpointID])
    case nameTaken(String)
    case alreadyAdded(name: String)
    case invalidName(String)
    case notManual(name: String)
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
            "several endpoints are named '\(Printable(reference))': "
                + candidates.map(\.text).joined(separator: ", ")
        case .nameTaken(let name): "an endpoint named '\(Printable(name))' was already added"
        case .alreadyAdded(let name): "this server was already added as '\(Printable(name))'"
        case .invalidName(let name):
            "'\(Printable(name))' is no name: use 1 to 63 bytes of printable text that do not begin with -"
        case .notManual(let name):
            "'\(Printable(name))' was not added by hand: it goes when its server no longer announces itself"
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
