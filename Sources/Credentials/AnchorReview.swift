// SPDX-License-Identifier: Apache-2.0

/// The verdict on a vault file, from the anchors of all locations.
struct AnchorReview: Sendable, Hashable {
    let verdict: AnchorVerdict
    /// The newest anchor of this vault.
    let newest: RollbackAnchor?
    /// The locations whose anchor was ignored, with the reason.
    let ignored: [AnchorPlace: AnchorFinding.Reason]
    /// The locations that have an anchor of this vault.
    let found: [AnchorPlace]

    init(of file: VaultPosition, _ findings: [AnchorPlace: AnchorFinding]) {
        var anchors: [RollbackAnchor] = []
        var found: [AnchorPlace] = []
        var ignored: [AnchorPlace: AnchorFinding.Reason] = [:]
        for (place, finding) in findings {
            switch finding {
            case .none: break
            case .found(let anchor) where anchor.storeID == file.storeID:
                anchors.append(anchor)
                found.append(place)
            case .found: ignored[place] = .otherVault
            case .ignored(let reason): ignored[place] = reason
            }
        }
        self.ignored = ignored
        self.found = found
        let generation = anchors.map(\.generation).max()
        let candidates = anchors.filter { $0.generation == generation }
        // Locations may disagree: two anchors of one generation can name different files. Then at least one of them
        // reports a fork, and that one decides.
        newest = candidates.first { AnchorVerdict(file, against: $0).suspicion != nil } ?? candidates.first
        verdict = newest.map { AnchorVerdict(file, against: $0) } ?? .unanchored
    }
}
