// SPDX-License-Identifier: Apache-2.0

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
    private var faults: [AnchorPlace: String] = [:]

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
    mutating func wrote(_ places: [AnchorPlace], faults: [AnchorPlace: String]) {
        kept = places
        self.faults = faults
    }

    /// Providers that failed to store an anchor since the vault was opened. They are skipped, because waiting for one
    /// of them at each save would slow down every save.
    var failedProviders: [AnchorPlace: String] { faults.filter { $0.key != .file } }

    /// Clears the fault of a provider that has just opened the vault, so that it is tried again.
    ///
    /// - Returns: whether the provider had failed to store an anchor.
    mutating func answered(_ kind: KeyProviderKind) -> Bool {
        faults.removeValue(forKey: .keyProvider(kind)) != nil
    }

    /// The state for status; nil before a vault was opened.
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
