// SPDX-License-Identifier: Apache-2.0

/// What a vault's file is in the light of the newest anchor.
package enum AnchorVerdict: Sendable, Hashable {
    /// There is no anchor to hold it against: a new machine, or somebody took the anchors away.
    case unanchored
    /// The very file of the last save known here.
    case current
    /// Saved since: a crash came before the anchor, or another host shares the directory.
    case newer
    /// An older file than the last one known.
    case rollbackSuspected(found: UInt64, known: UInt64)
    /// It does not descend from the last one known, although its generation would fit.
    case forkSuspected(generation: UInt64)

    /// - Parameter anchor: of the same vault.
    init(_ file: VaultPosition, against anchor: RollbackAnchor) {
        if file.generation < anchor.generation {
            self = .rollbackSuspected(found: file.generation, known: anchor.generation)
        } else if file.generation == anchor.generation {
            self = file.hash == anchor.hash ? .current : .forkSuspected(generation: file.generation)
        } else if file.generation - anchor.generation == 1, file.previousHash != anchor.hash {
            // The next save names the file it was made from. Further on nothing can be told.
            self = .forkSuspected(generation: file.generation)
        } else {
            self = .newer
        }
    }

    /// - Returns: nil for a file that may be used.
    package var suspicion: CredentialError? {
        switch self {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected(let found, let known): .rollbackSuspected(found: found, known: known)
        case .forkSuspected(let generation): .forkSuspected(generation: generation)
        }
    }

    /// The generation to name for accepting the file; nil for a file that may be used.
    package var suspectedGeneration: UInt64? {
        switch self {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected(let generation, _), .forkSuspected(let generation): generation
        }
    }
}
