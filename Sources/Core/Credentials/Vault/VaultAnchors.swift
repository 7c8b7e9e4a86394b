// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// The locations for anchors outside this process. All calls block and must be made on the thread pool.
struct VaultAnchors: Sendable {
    /// The providers in order of preference, then the anchor file.
    private let keepers: [any AnchorKeeper]

    /// An encoded anchor to be written. It contains no key.
    struct Draft: Sendable {
        let storeID: [UInt8]
        let bytes: [UInt8]
        /// The kinds of the vault's slots. A provider that stores no key of the vault stores no anchor either.
        let kinds: [KeyProviderKind]
    }

    init(_ options: VaultOptions) {
        var keepers = options.keyProviders.compactMap { $0 as? any AnchorKeeper }
        if let directory = options.stateDirectory { keepers.append(AnchorFile(directory: directory)) }
        self.keepers = keepers
    }

    /// Whether an anchor file is there, of any vault.
    var hasFile: Bool { keepers.contains { (($0 as? AnchorFile)?.exists) == true } }

    static func draft(of vault: OpenVault) throws(PlatformError) -> Draft {
        Draft(
            storeID: vault.header.storeID,
            bytes: try vault.record.encoded(key: vault.keys.anchor.secret),
            kinds: vault.header.slots.map(\.kind)
        )
    }

    /// Reads the anchors of all locations, without changing any.
    func copies(for vault: OpenVault) -> [AnchorCopy] {
        keepers(of: vault.header.slots.map(\.kind)).map { keeper in
            Self.copy(at: keeper.place, for: vault) { try keeper.anchor(for: vault.header.storeID) }
        }
    }

    /// Parses an anchor from any location, and checks that it belongs to the vault.
    static func copy(at place: AnchorPlace, for vault: OpenVault, _ read: () throws -> [UInt8]?) -> AnchorCopy {
        do {
            guard let bytes = try read() else { return AnchorCopy(at: place) }
            let key = vault.keys.anchor
            return try AnchorCopy(at: place, parsing: bytes, storeID: vault.header.storeID, key: key.secret)
        } catch {
            return AnchorCopy(at: place, .unreadable, because: error)
        }
    }

    /// Writes an anchor to every location.
    ///
    /// - Parameter failed: providers that have failed before. They are not tried again.
    /// - Returns: the result for each location.
    func keep(_ draft: Draft, skipping failed: [AnchorCopy]) -> [AnchorCopy] {
        keepers(of: draft.kinds).map { keeper in
            if let failure = failed.first(where: { $0.place == keeper.place }) { return failure }
            do {
                try keeper.keepAnchor(draft.bytes, for: draft.storeID)
                return AnchorCopy(at: keeper.place)
            } catch {
                return AnchorCopy(at: keeper.place, .notKept, because: error)
            }
        }
    }

    /// Removes temporary files of a crash. If another daemon is writing at that moment, its file disappears. It
    /// reports the error and writes the anchor again at its next save.
    func removeStaleFiles() {
        for case let file as AnchorFile in keepers { try? file.removeStaleFiles() }
    }

    private func keepers(of kinds: [KeyProviderKind]) -> [any AnchorKeeper] {
        let places = [.file] + kinds.map { AnchorPlace.keyProvider($0) }
        return keepers.filter { places.contains($0.place) }
    }
}

/// The anchor file, in a directory separate from the vault's.
private struct AnchorFile: AnchorKeeper {
    private static let name = "anchor"

    let directory: String

    var place: AnchorPlace { .file }

    var exists: Bool { access("\(directory)/\(Self.name)", F_OK) == 0 }

    func anchor(for storeID: [UInt8]) throws(PlatformError) -> [UInt8]? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(directory)
            // One byte more than an anchor has, so that a longer file is reported as malformed.
            return try AtomicFile.read(Self.name, in: directory, maximumBytes: AnchorRecord.byteCount + 1)
        } catch {
            if case .system("open", directory, ENOENT) = error { return nil }
            throw error
        }
    }

    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(PlatformError) {
        try AtomicFile.write(bytes, to: Self.name, in: try ProtectedDirectory(directory, creating: true))
    }

    /// Removes temporary files that a crash during a write left.
    func removeStaleFiles() throws(PlatformError) {
        AtomicFile.removeStaleFiles(of: [Self.name], in: try ProtectedDirectory(directory))
    }
}

/// Queue of anchors to be written: one at a time, and the newest last, so that an older one never replaces it.
struct AnchorQueue {
    private var next: VaultAnchors.Draft?
    private var isWriting = false

    /// Adds the newest anchor.
    ///
    /// - Returns: whether the caller must write what `take` returns, until it returns nil, and then call `end`. If
    ///   false, another caller is writing and also writes this anchor.
    mutating func add(_ draft: VaultAnchors.Draft) -> Bool {
        next = draft
        guard !isWriting else { return false }
        isWriting = true
        return true
    }

    /// The newest anchor that is not written yet.
    mutating func take() -> VaultAnchors.Draft? {
        defer { next = nil }
        return next
    }

    mutating func end() { isWriting = false }
}
