// SPDX-License-Identifier: Apache-2.0

/// What the store knows of anchors: the one in its memory, and what came of the last comparison. It outlives locking.
struct AnchorState: Sendable, Hashable {
    /// The last save known; place "memory".
    private(set) var newest: RollbackAnchor?
    /// Of the file that was opened, or that was seen on disk since.
    private(set) var verdict: AnchorVerdict?
    /// When the vault was opened; told until it is opened again, though the anchors have been replaced.
    private var ignored: [AnchorPlace: AnchorFinding.Reason] = [:]
    /// Where the newest anchor stands now, and where it could not be written.
    private var kept: [AnchorPlace] = []
    private var faults: [AnchorPlace: String] = [:]

    /// Why nothing is written and no password given out.
    var suspicion: CredentialError? { verdict?.suspicion }

    /// A vault was unlocked.
    ///
    /// - Parameter findings: of the places outside this process.
    mutating func opened(_ vault: VaultPosition, _ findings: [AnchorPlace: AnchorFinding]) {
        var findings = findings
        findings[.memory] = newest.map { .found($0) }
        let review = AnchorReview(of: vault, findings)
        verdict = review.verdict
        // An anchor in memory that is another vault's is nobody's fault.
        ignored = review.ignored.filter { $0.key != .memory }
        kept = []
        faults = [:]
        newest = suspicion == nil ? RollbackAnchor(vault) : review.newest
    }

    /// Whether the newest anchor has nothing against this file.
    func trusts(_ file: VaultPosition) -> Bool {
        guard let newest else { return true }
        return newest.storeID == file.storeID && AnchorVerdict(file, against: newest).suspicion == nil
    }

    /// A file was seen in the vault's place while the vault is unlocked. One that is newer or another vault's is a
    /// matter for the next save.
    mutating func saw(_ file: VaultPosition) {
        guard let newest, newest.storeID == file.storeID else { return }
        let seen = AnchorVerdict(file, against: newest)
        if seen.suspicion != nil || suspicion != nil { verdict = seen }
    }

    /// A save found this instead of the file that it wanted to follow.
    mutating func refused(_ error: CredentialError) {
        switch error {
        case .rollbackSuspected(let found, let known): verdict = .rollbackSuspected(found: found, known: known)
        case .forkSuspected(let generation): verdict = .forkSuspected(generation: generation)
        default: break
        }
    }

    /// A vault was saved. That it had no anchor when it was opened remains to be told.
    mutating func saved(_ vault: VaultPosition) {
        newest = RollbackAnchor(vault)
        if verdict != .unanchored { verdict = .current }
    }

    /// A vault was just made, or a person has taken it as it is.
    mutating func accepted(_ vault: VaultPosition) {
        newest = RollbackAnchor(vault)
        verdict = .current
        ignored = [:]
    }

    /// The newest anchor was written to all places but the faulty ones.
    mutating func wrote(_ places: [AnchorPlace], faults: [AnchorPlace: String]) {
        kept = places
        self.faults = faults
    }

    /// Providers that could not keep an anchor since the vault was opened: waiting for one of them again at each save
    /// would slow down all of them.
    var failedProviders: [AnchorPlace: String] { faults.filter { $0.key != .file } }

    /// A provider has just opened the vault: it is worth another try.
    ///
    /// - Returns: whether it had failed to keep an anchor.
    mutating func answered(_ kind: KeyProviderKind) -> Bool {
        faults.removeValue(forKey: .keyProvider(kind)) != nil
    }

    /// - Returns: nil before a vault was opened.
    var status: AnchorStatus? {
        guard let verdict else { return nil }
        let passedOver = ignored.map { $1.sentence(on: $0) }
        let failed = faults.map { "no anchor was kept in \($0): \($1)" }
        return AnchorStatus(
            verdict: verdict,
            known: newest?.generation,
            places: [.memory] + kept,
            notes: passedOver.sorted() + failed.sorted()
        )
    }
}
