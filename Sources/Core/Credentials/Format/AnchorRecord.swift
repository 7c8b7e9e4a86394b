// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// Identifies one save of one vault. A record outside the vault's file is an anchor, which detects rollback
/// (docs/vault-format.md).
struct AnchorRecord: Sendable, Hashable {
    static let byteCount = 104
    private static let magic: [UInt8] = [0x89, 0x52, 0x43, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let major: UInt16 = 1
    private static let minor: UInt16 = 0

    /// 16 bytes.
    let storeID: [UInt8]
    let generation: UInt64
    /// SHA-256 of the whole file.
    let hash: [UInt8]
    /// SHA-256 of the file before this one; zeros in generation 1. Nil for an anchor that was read, which does not
    /// contain it.
    var previousHash: [UInt8]?

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

extension AnchorRecord {
    init(_ header: VaultHeader, hash: [UInt8]) {
        self.init(
            storeID: header.storeID,
            generation: header.generation,
            hash: hash,
            previousHash: header.previousHash
        )
    }

    /// Parses an anchor without checking its tag.
    fileprivate init?(parsing bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.byteCount, reader.bytes(Self.magic.count) == Self.magic,
            reader.integer(UInt16.self) == Self.major, reader.integer(UInt16.self) == Self.minor,
            reader.bytes(4) == [0, 0, 0, 0], let storeID = reader.bytes(16),
            let generation = reader.integer(UInt64.self), generation > 0, let hash = reader.bytes(32)
        else { return nil }
        self.init(storeID: storeID, generation: generation, hash: hash)
    }
}

/// The result of comparing a vault file with the newest anchor.
enum AnchorVerdict: Sendable, Hashable {
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
    init(_ file: AnchorRecord, against anchor: AnchorRecord) {
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

    /// Compares a file with the newest of these anchors. Those of other vaults do not count.
    ///
    /// - Returns: the verdict, and the anchor that decides it.
    static func of(_ file: AnchorRecord, _ anchors: [AnchorRecord]) -> (verdict: Self, newest: AnchorRecord?) {
        let own = anchors.filter { $0.storeID == file.storeID }
        let generation = own.map(\.generation).max()
        let newest = own.filter { $0.generation == generation }
        // Locations may disagree: two anchors of one generation can name different files. Then at least one of them
        // reports a fork, and that one decides.
        let decisive = newest.first { Self(file, against: $0).suspicion != nil } ?? newest.first
        return (decisive.map { Self(file, against: $0) } ?? .unanchored, decisive)
    }

    /// The error that the suspicion causes; nil if the file may be used.
    var suspicion: CredentialError? {
        switch self {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected(let found, let known): .rollbackSuspected(found: found, known: known)
        case .forkSuspected(let generation): .forkSuspected(generation: generation)
        }
    }

    /// The verdict for status.
    func status(known: AnchorRecord?, places: [String], notes: [AnchorNote]) -> AnchorStatus {
        let (verdict, found): (AnchorStatus.Verdict, UInt64?) =
            switch self {
            case .unanchored: (.unanchored, nil)
            case .current: (.current, nil)
            case .newer: (.newer, nil)
            case .rollbackSuspected(let generation, _): (.rollbackSuspected, generation)
            case .forkSuspected(let generation): (.forkSuspected, generation)
            }
        return AnchorStatus(
            verdict: verdict,
            found: found.map { Int64(clamping: $0) },
            known: known.map { Int64(clamping: $0.generation) },
            places: places,
            notes: notes
        )
    }
}

extension AnchorStatus {
    /// The error that the suspicion causes; nil if the file may be used.
    package var suspicion: CredentialError? {
        let (found, known) = (UInt64(found ?? 0), UInt64(known ?? 0))
        return switch verdict {
        case .unanchored, .current, .newer: nil
        case .rollbackSuspected: .rollbackSuspected(found: found, known: known)
        case .forkSuspected: .forkSuspected(generation: found)
        }
    }
}

/// The result of reading or writing the anchor in one location.
struct AnchorCopy: Sendable, Hashable {
    let place: AnchorPlace
    /// The anchor of this vault; nil if the location has none, or one that proves nothing.
    var anchor: AnchorRecord?
    /// The reason why the content was ignored, or could not be replaced.
    var note: AnchorNote?

    init(at place: AnchorPlace, _ anchor: AnchorRecord? = nil) {
        self.place = place
        self.anchor = anchor
    }

    /// - Parameter error: the reason why the location could not be read or written.
    init(at place: AnchorPlace, _ code: AnchorNote.Code, because error: (any Error)? = nil) {
        self.place = place
        if case CredentialError.providerUnavailable(_, let fault)? = error {
            note = AnchorNote(code: code, place: "\(place)", fault: fault)
        } else {
            note = AnchorNote(code: code, place: "\(place)", detail: error.map { "\($0)" })
        }
    }

    /// Parses an anchor, and checks that it is of the vault with this store ID and anchor key.
    init(at place: AnchorPlace, parsing bytes: [UInt8], storeID: [UInt8], key: borrowing Secret) throws(PlatformError) {
        guard let anchor = bytes.span.bytes.withUnsafeBytes(AnchorRecord.init(parsing:)) else {
            self.init(at: place, .malformed)
            return
        }
        // Checked before the tag, because another vault's anchor has a tag under another key.
        guard anchor.storeID == storeID else {
            self.init(at: place, .otherVault)
            return
        }
        if ConstantTime.areEqual(bytes, try anchor.encoded(key: key)) {
            self.init(at: place, anchor)
        } else {
            self.init(at: place, .wrongTag)
        }
    }
}

extension [AnchorCopy] {
    /// The locations without a fault.
    var places: [String] { filter { $0.note == nil }.map { "\($0.place)" } }
    /// The notes for status, in the order of the places' names.
    var notes: [AnchorNote] { compactMap(\.note).sorted { $0.place < $1.place } }
}

/// The store's knowledge about anchors: the one in memory, and the result of the last comparison. It survives
/// locking.
struct AnchorState: Sendable, Hashable {
    /// The anchor of the last known save, in the location `memory`.
    private(set) var newest: AnchorRecord?
    /// The verdict on the file that was opened, or that was last seen on disk since.
    private(set) var verdict: AnchorVerdict?
    /// Notes on anchors that were ignored when the vault was opened. Status reports them until the vault is opened
    /// again, although they have been replaced since.
    private var ignored: [AnchorNote] = []
    /// The locations to which the newest anchor was written, or could not be.
    private var kept: [AnchorCopy] = []

    /// If the vault is suspected of rollback or fork: the error that stops every save and every use of a password.
    var suspicion: CredentialError? { verdict?.suspicion }

    /// Updates the state when the vault was unlocked.
    ///
    /// - Parameter copies: the anchors of the locations outside this process.
    mutating func opened(_ vault: AnchorRecord, _ copies: [AnchorCopy]) {
        let (verdict, decisive) = AnchorVerdict.of(vault, (copies.map(\.anchor) + [newest]).compactMap { $0 })
        self.verdict = verdict
        ignored = copies.notes
        kept = []
        newest = suspicion == nil ? vault : decisive
    }

    /// Whether the newest anchor raises no suspicion against this file.
    func trusts(_ file: AnchorRecord) -> Bool {
        guard let newest else { return true }
        return newest.storeID == file.storeID && AnchorVerdict(file, against: newest).suspicion == nil
    }

    /// Updates the state when a file was seen in place of the vault while the vault is unlocked. A file that is
    /// newer, or another vault's, is handled by the next save.
    mutating func saw(_ file: AnchorRecord) {
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
    mutating func saved(_ vault: AnchorRecord) {
        newest = vault
        if verdict != .unanchored { verdict = .current }
    }

    /// Updates the state when a vault was made, or when the user accepted the file.
    mutating func accepted(_ vault: AnchorRecord) {
        newest = vault
        verdict = .current
        ignored = []
    }

    /// Updates the state when the newest anchor was written.
    mutating func wrote(_ copies: [AnchorCopy]) { kept = copies }

    /// Providers that failed to store an anchor since the vault was opened. They are skipped, because waiting for one
    /// of them at each save would slow down every save.
    var failedProviders: [AnchorCopy] { kept.filter { $0.note != nil && $0.place != .file } }

    /// Clears the fault of a provider that has just opened the vault, so that it is tried again.
    ///
    /// - Returns: whether the provider had failed to store an anchor.
    mutating func answered(_ kind: KeyProviderKind) -> Bool {
        let count = kept.count
        kept.removeAll { $0.note != nil && $0.place == .keyProvider(kind) }
        return kept.count < count
    }

    /// The state for status; nil before a vault was opened.
    var status: AnchorStatus? {
        verdict.map {
            $0.status(known: newest, places: ["\(AnchorPlace.memory)"] + kept.places, notes: ignored + kept.notes)
        }
    }
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
