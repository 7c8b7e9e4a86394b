// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The locations for anchors outside this process. All calls block and must be made on the thread pool.
struct VaultAnchors: Sendable {
    let file: AnchorFile?
    let keepers: [any AnchorKeeper]

    /// An encoded anchor to be written. It contains no key.
    struct Draft: Sendable {
        let storeID: [UInt8]
        let bytes: [UInt8]
        /// The kinds of the vault's slots. A provider that stores no key of the vault stores no anchor either.
        let kinds: [KeyProviderKind]
    }

    init(_ options: VaultOptions) {
        file = options.stateDirectory.map(AnchorFile.init(directory:))
        keepers = options.keyProviders.compactMap { $0 as? any AnchorKeeper }
    }

    static func draft(of vault: OpenVault) throws(PlatformError) -> Draft {
        Draft(
            storeID: vault.header.storeID,
            bytes: try RollbackAnchor(VaultPosition(vault)).encoded(key: vault.keys.anchor.secret),
            kinds: vault.header.slots.map(\.kind)
        )
    }

    /// Reads the anchors of all locations, without changing any.
    func findings(for vault: OpenVault) -> [AnchorPlace: AnchorFinding] {
        var findings: [AnchorPlace: AnchorFinding] = [:]
        if let file {
            findings[.file] = Self.finding(for: vault) { try file.read() }
        }
        for keeper in keepers(of: vault.header.slots.map(\.kind)) {
            findings[.keyProvider(keeper.kind)] = Self.finding(for: vault) {
                try keeper.anchor(for: vault.header.storeID)
            }
        }
        return findings
    }

    /// Parses an anchor from any location, and checks that it belongs to the vault.
    static func finding(for vault: OpenVault, _ read: () throws -> [UInt8]?) -> AnchorFinding {
        do {
            guard let bytes = try read() else { return .none }
            return try AnchorFinding(parsing: bytes, storeID: vault.header.storeID, key: vault.keys.anchor.secret)
        } catch {
            return .ignored(.unreadable(AnchorError(error)))
        }
    }

    /// Writes an anchor to every location.
    ///
    /// - Parameter skipped: providers that have failed before. They are not tried again.
    /// - Returns: the locations that have the anchor, and the reasons why the others do not.
    func keep(
        _ draft: Draft,
        skipping skipped: [AnchorPlace: AnchorError]
    ) -> (places: [AnchorPlace], faults: [AnchorPlace: AnchorError]) {
        var places: [AnchorPlace] = []
        var faults = skipped
        func attempt(_ place: AnchorPlace, _ write: () throws -> Void) {
            do {
                try write()
                places.append(place)
            } catch {
                faults[place] = AnchorError(error)
            }
        }
        for keeper in keepers(of: draft.kinds) where skipped[.keyProvider(keeper.kind)] == nil {
            attempt(.keyProvider(keeper.kind)) { try keeper.keepAnchor(draft.bytes, for: draft.storeID) }
        }
        if let file { attempt(.file) { try file.write(draft.bytes) } }
        return (places, faults)
    }

    /// Removes temporary files of a crash. If another daemon is writing at that moment, its file disappears. It
    /// reports the error and writes the anchor again at its next save.
    func removeStaleFiles() {
        try? file?.removeStaleFiles()
    }

    private func keepers(of kinds: [KeyProviderKind]) -> [any AnchorKeeper] {
        keepers.filter { kinds.contains($0.kind) }
    }
}

/// The anchor file, in a directory separate from the vault's.
struct AnchorFile: Sendable {
    static let name = "anchor"

    let directory: String

    /// Reads the anchor file.
    ///
    /// - Returns: nil if there is no such file.
    func read() throws(PlatformError) -> [UInt8]? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(directory)
            // One byte more than an anchor has, so that a longer file is reported as malformed.
            return try AtomicFile.read(Self.name, in: directory, maximumBytes: RollbackAnchor.byteCount + 1)
        } catch {
            if case .system("open", directory, ENOENT) = error { return nil }
            throw error
        }
    }

    func write(_ bytes: [UInt8]) throws(PlatformError) {
        try AtomicFile.write(bytes, to: Self.name, in: try ProtectedDirectory(directory, creating: true))
    }

    /// Removes temporary files that a crash during `write` left.
    func removeStaleFiles() throws(PlatformError) {
        let directory = try ProtectedDirectory(directory)
        for name in try directory.names() where name.hasPrefix(".\(Self.name).") && name.hasSuffix(".tmp") {
            try directory.remove(name)
        }
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
