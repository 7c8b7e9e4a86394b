// SPDX-License-Identifier: Apache-2.0

/// The result of comparing a vault file with the newest anchor.
package enum AnchorVerdict: Sendable, Hashable {
    /// There is no anchor to compare with: the machine is new, or the anchors were removed.
    case unanchored
    /// The file is the last save known here.
    case current
    /// The file was saved after the anchor: a crash came between the save and its anchor, or another host shares the
    /// directory.
    case newer
    /// The file is older than the last known save.
    case rollbackSuspected(found: UInt64, known: UInt64)
    /// The file does not descend from the last known save, although its generation would fit.
    case forkSuspected(generation: UInt64)

    /// Compares a file with an anchor of the same vault.
    init(_ file: VaultPosition, against anchor: RollbackAnchor) {
        if file.generation < anchor.generation {
            self = .rollbackSuspected(found: file.generation, known: anchor.generation)
        } else if file.generation == anchor.generation {
            self = file.hash == anchor.hash ? .current : .forkSuspected(generation: file.generation)
        } else if file.generation - anchor.generation == 1, file.previousHash != anchor.hash {
            // A file names the hash of its predecessor. If it is two or more generations newer than the anchor, its
            // descent cannot be determined.
            self = .forkSuspected(generation: file.generation)
        } else {
            self = .newer
        }
    }

    /// The error that the suspicion causes; nil if the file may be used.
    package var suspicion: CredentialError? {
        switch self {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected(let found, let known): .rollbackSuspected(found: found, known: known)
        case .forkSuspected(let generation): .forkSuspected(generation: generation)
        }
    }

    /// The generation that the user must name to accept the file; nil if the file may be used.
    package var suspectedGeneration: UInt64? {
        switch self {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected(let generation, _), .forkSuspected(let generation): generation
        }
    }
}
