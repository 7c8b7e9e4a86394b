// SPDX-License-Identifier: Apache-2.0

/// The findings of all places weighed against one file.
struct AnchorReview: Sendable, Hashable {
    let verdict: AnchorVerdict
    /// The newest anchor that is one of this vault.
    let newest: RollbackAnchor?
    /// What lay in a place and was passed over.
    let ignored: [AnchorPlace: AnchorFinding.Reason]
    /// Places with an anchor of this vault.
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
        // Two places that name different files of one generation: at least one of them speaks of a fork.
        newest = candidates.first { AnchorVerdict(file, against: $0).suspicion != nil } ?? candidates.first
        verdict = newest.map { AnchorVerdict(file, against: $0) } ?? .unanchored
    }
}
