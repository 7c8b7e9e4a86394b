// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The look-up of an endpoint by what a person types.
extension RegistryState {
    /// Of an id, so that short names are not taken for one.
    private static let fewestDigits = 4

    /// The endpoint with this id, or the only one with this name: of those that were added, else of those that were used,
    /// else of those that were only discovered. A stranger may announce any name, and must not make the user's own
    /// ambiguous.
    ///
    /// The beginning of an id or a name is enough for those that were added or used. An announcement of that very
    /// name makes the beginning ambiguous, so that it never leads to a stranger.
    func find(_ reference: String) throws(RegistryError) -> Endpoint {
        if let id = EndpointID(reference), let endpoint = endpoint(id) { return endpoint }
        let named = facts.values.filter { $0.name == reference }
        let added = named.filter { $0.entry != nil }
        let used = named.filter { $0.memory != nil }
        let best = [added, used].first { !$0.isEmpty } ?? named + begun(reference)
        let candidates = Self.sorted(best.compactMap(endpoint))
        guard let first = candidates.first else { throw .notFound(reference: reference) }
        guard candidates.count == 1 else {
            throw .ambiguous(reference: reference, candidates: candidates.map(\.id))
        }
        return first
    }

    /// Those that were added or used, and whose name or id begins so.
    private func begun(_ reference: String) -> [EndpointFacts] {
        guard !reference.isEmpty else { return [] }
        let isLong = reference.utf8.count >= Self.fewestDigits
        return facts.values.filter { facts in
            facts.isKept && facts.name != reference
                && (Self.begins(facts.name, with: reference) || isLong && facts.id.text.hasPrefix(reference))
        }
    }

    /// Whether a name begins so, and not in the middle of a number: `server1` is not short for `server10`.
    private static func begins(_ name: String, with reference: String) -> Bool {
        guard name.utf8.starts(with: reference.utf8), let last = reference.utf8.last,
            let next = name.utf8.dropFirst(reference.utf8.count).first
        else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return !(digits.contains(last) && digits.contains(next))
    }
}
