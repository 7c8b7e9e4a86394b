// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// A record of the vault's last save, stored outside the vault's file to detect rollback (docs/vault-format.md).
struct RollbackAnchor: Sendable, Hashable {
    static let byteCount = 104
    private static let magic: [UInt8] = [0x89, 0x52, 0x43, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let major: UInt16 = 1
    private static let minor: UInt16 = 0

    let storeID: [UInt8]
    let generation: UInt64
    let hash: [UInt8]

    init(_ position: VaultPosition) {
        storeID = position.storeID
        generation = position.generation
        hash = position.hash
    }

    /// Encodes the anchor and its tag.
    ///
    /// - Parameter key: the anchor key of the vault.
    func encoded(key: borrowing Secret) throws(PlatformError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(Self.major)
        writer.append(Self.minor)
        writer.append(zeros: 4)
        writer.append(storeID)
        writer.append(generation)
        writer.append(hash)
        let front = writer.bytes
        return front + (try key.withBytes { key throws(PlatformError) in try HMACSHA256.tag(of: front, key: key) })
    }
}

extension AnchorFinding {
    /// Parses an anchor, and checks that it is of the vault with this store ID and anchor key.
    init(parsing bytes: [UInt8], storeID: [UInt8], key: borrowing Secret) throws(PlatformError) {
        guard let anchor = bytes.span.bytes.withUnsafeBytes(RollbackAnchor.init(parsing:)) else {
            self = .ignored(.malformed)
            return
        }
        // Checked before the tag, because another vault's anchor has a tag under another key.
        guard anchor.storeID == storeID else {
            self = .ignored(.otherVault)
            return
        }
        let isRight = ConstantTime.areEqual(bytes, try anchor.encoded(key: key))
        self = isRight ? .found(anchor) : .ignored(.wrongTag)
    }
}

extension RollbackAnchor {
    /// Parses an anchor without checking its tag.
    fileprivate init?(parsing bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.byteCount, reader.bytes(Self.magic.count) == Self.magic,
            reader.integer(UInt16.self) == Self.major, reader.integer(UInt16.self) == Self.minor,
            reader.bytes(4) == [0, 0, 0, 0], let storeID = reader.bytes(16),
            let generation = reader.integer(UInt64.self), generation > 0, let hash = reader.bytes(32)
        else { return nil }
        self.storeID = storeID
        self.generation = generation
        self.hash = hash
    }
}

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

/// The result of reading one location of an anchor.
enum AnchorFinding: Sendable, Hashable {
    case none
    case found(RollbackAnchor)
    /// The content proves nothing. It counts as if there were no anchor.
    case ignored(Reason)

    enum Reason: Sendable, Hashable {
        case malformed
        case otherVault
        case wrongTag
        case unreadable(AnchorError)

        /// The note for status.
        func note(on place: AnchorPlace) -> AnchorNote {
            switch self {
            case .malformed: AnchorNote(.malformed, in: "\(place)")
            case .otherVault: AnchorNote(.otherVault, in: "\(place)")
            case .wrongTag: AnchorNote(.wrongTag, in: "\(place)")
            case .unreadable(let error): error.note(.unreadable, on: place)
            }
        }
    }
}

/// The reason why an anchor could not be read or written.
enum AnchorError: Sendable, Hashable {
    case provider(ProviderFault)
    /// The text of another error.
    case other(String)

    init(_ error: any Error) {
        if case CredentialError.providerUnavailable(_, let fault) = error {
            self = .provider(fault)
        } else {
            self = .other("\(error)")
        }
    }

    /// The note for status.
    func note(_ code: AnchorNote.Code, on place: AnchorPlace) -> AnchorNote {
        switch self {
        case .provider(let fault): AnchorNote(code, in: "\(place)", fault: fault)
        case .other(let text): AnchorNote(code, in: "\(place)", detail: text)
        }
    }
}

extension [AnchorPlace: AnchorFinding.Reason] {
    /// The notes for status, in the order of the places' names.
    var notes: [AnchorNote] { map { $1.note(on: $0) }.sorted { $0.place < $1.place } }
}

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

/// The store's knowledge about anchors: the one in memory, and the result of the last comparison. It survives
/// locking.
struct AnchorState: Sendable, Hashable {
    /// The anchor of the last known save, in the location `memory`.
    private(set) var newest: RollbackAnchor?
    /// The verdict on the file that was opened, or that was last seen on disk since.
    private(set) var verdict: AnchorVerdict?
    /// Anchors that were ignored when the vault was opened. Status reports them until the vault is opened again,
    /// although they have been replaced since.
    private var ignored: [AnchorPlace: AnchorFinding.Reason] = [:]
    /// The locations that have the newest anchor. `faults` has the locations to which it could not be written, with
    /// the reason.
    private var kept: [AnchorPlace] = []
    private var faults: [AnchorPlace: AnchorError] = [:]

    /// If the vault is suspected of rollback or fork: the error that stops every save and every use of a password.
    var suspicion: CredentialError? { verdict?.suspicion }

    /// Updates the state when the vault was unlocked.
    ///
    /// - Parameter findings: the anchors of the locations outside this process.
    mutating func opened(_ vault: VaultPosition, _ findings: [AnchorPlace: AnchorFinding]) {
        var findings = findings
        findings[.memory] = newest.map { .found($0) }
        let review = AnchorReview(of: vault, findings)
        verdict = review.verdict
        // An anchor in memory that belongs to another vault is not a fault.
        ignored = review.ignored.filter { $0.key != .memory }
        kept = []
        faults = [:]
        newest = suspicion == nil ? RollbackAnchor(vault) : review.newest
    }

    /// Whether the newest anchor raises no suspicion against this file.
    func trusts(_ file: VaultPosition) -> Bool {
        guard let newest else { return true }
        return newest.storeID == file.storeID && AnchorVerdict(file, against: newest).suspicion == nil
    }

    /// Updates the state when a file was seen in place of the vault while the vault is unlocked. A file that is
    /// newer, or another vault's, is handled by the next save.
    mutating func saw(_ file: VaultPosition) {
        guard let newest, newest.storeID == file.storeID else { return }
        let seen = AnchorVerdict(file, against: newest)
        if seen.suspicion != nil || suspicion != nil { verdict = seen }
    }

    /// Updates the state when a save found a suspected file instead of the one that it should follow.
    mutating func refused(_ error: CredentialError) {
        switch error {
        case .rollbackSuspected(let found, let known): verdict = .rollbackSuspected(found: found, known: known)
        case .forkSuspected(let generation): verdict = .forkSuspected(generation: generation)
        default: break
        }
    }

    /// Updates the state when a vault was saved. If the vault had no anchor when it was opened, status continues to
    /// report that.
    mutating func saved(_ vault: VaultPosition) {
        newest = RollbackAnchor(vault)
        if verdict != .unanchored { verdict = .current }
    }

    /// Updates the state when a vault was made, or when the user accepted the file.
    mutating func accepted(_ vault: VaultPosition) {
        newest = RollbackAnchor(vault)
        verdict = .current
        ignored = [:]
    }

    /// Updates the state when the newest anchor was written to all locations except those in `faults`.
    mutating func wrote(_ places: [AnchorPlace], faults: [AnchorPlace: AnchorError]) {
        kept = places
        self.faults = faults
    }

    /// Providers that failed to store an anchor since the vault was opened. They are skipped, because waiting for one
    /// of them at each save would slow down every save.
    var failedProviders: [AnchorPlace: AnchorError] { faults.filter { $0.key != .file } }

    /// Clears the fault of a provider that has just opened the vault, so that it is tried again.
    ///
    /// - Returns: whether the provider had failed to store an anchor.
    mutating func answered(_ kind: KeyProviderKind) -> Bool {
        faults.removeValue(forKey: .keyProvider(kind)) != nil
    }

    /// The state for status; nil before a vault was opened.
    var status: AnchorStatus? {
        guard let verdict else { return nil }
        let failed = faults.map { $1.note(.notKept, on: $0) }.sorted { $0.place < $1.place }
        return AnchorStatus(
            verdict: verdict,
            known: newest?.generation,
            places: [.memory] + kept,
            notes: ignored.notes + failed
        )
    }
}

/// The state of rollback protection, for status.
package struct AnchorStatus: Sendable, Hashable {
    /// The verdict on the vault file.
    package let verdict: AnchorVerdict
    /// The generation of the newest anchor.
    package let known: UInt64?
    /// The locations that have the newest anchor.
    package let places: [AnchorPlace]
    /// The locations whose anchor was ignored, and then those in which none could be stored.
    package let notes: [AnchorNote]
}

/// A location in which an anchor is stored.
package enum AnchorPlace: Sendable, Hashable, CustomStringConvertible {
    /// The memory of this process, out of reach of an attacker who has only the disk.
    case memory
    /// The key provider, next to the vault's key.
    case keyProvider(KeyProviderKind)
    /// The anchor file, usually on the same disk as the vault.
    case file

    /// The name of the location in status.
    package var description: String {
        switch self {
        case .memory: "memory"
        case .keyProvider(let kind): "\(kind)"
        case .file: "file"
        }
    }
}

/// A key provider that can store an anchor next to a vault's key, out of reach of an attacker who has only the
/// vault's disk.
///
/// Calls block for at most the provider's own timeout. Make them on the thread pool.
package protocol AnchorKeeper: KeyProvider {
    /// Replaces the anchor of a vault.
    ///
    /// - Parameters:
    ///   - bytes: the 104 bytes of the anchor. They are authenticated, not secret.
    ///   - storeID: the vault's store ID, 16 bytes.
    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError)

    /// Reads the anchor of a vault.
    ///
    /// - Returns: the bytes of the last `keepAnchor`, unchanged; nil if no anchor is stored for this vault.
    func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]?
}
