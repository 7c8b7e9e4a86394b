// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
package import Platform

/// The key provider for desktops: an item in the login keyring, accessed through the Secret Service.
///
/// A helper program accesses the item, with one process for each question. So GLib and its threads stay out of the
/// daemon, and if the keyring never answers, the helper is killed.
package struct SecretServiceProvider: KeyProvider {
    private static let keyByteCount = 32
    /// The only variables of the daemon's environment that the helper receives.
    private static let variables = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "LANG"]

    let helper: String
    let environment: [String]
    /// The timeout of one question if a user waits for the result. The keyring may prompt during this time.
    package var timeout = Duration.seconds(30)
    /// The timeout of one question if no user waits, so that the keyring must not prompt: for example when the daemon
    /// starts.
    package var unattendedTimeout = Duration.seconds(5)

    /// Makes a provider.
    ///
    /// - Parameter helper: the path of the program `relativityd-secret-service`.
    package init(helper: String, environment: Environment) {
        self.helper = helper
        self.environment = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    }

    package var kind: KeyProviderKind { .secretService }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        let nobody = try translated(SystemRandom().bytes(KeyringQuestion.storeIDByteCount))
        try order(.probe, .probe, of: nobody, attended: false, in: arena)
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        if let key = try find(.key, of: storeID, attended: true, in: arena) { return try checked(key) }
        let key = try translated(Secret(randomBytes: Self.keyByteCount, in: arena))
        try store(key, as: .key, of: storeID, attended: true, in: arena)
        return key
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(for: storeID, attended: false, in: arena)
    }

    package func key(
        for storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret {
        guard let key = try find(.key, of: storeID, attended: attended, in: arena) else {
            throw .providerUnavailable(kind, ProviderFault(code: .keyringNoKey))
        }
        return try checked(key)
    }

    package func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        let arena = try translated(SecretArena(byteCount: 1))
        for item in [KeyringItem.key, .anchor] { try order(.delete, item, of: storeID, attended: true, in: arena) }
    }

    private func checked(_ key: consuming Secret) throws(CredentialError) -> Secret {
        guard key.count == Self.keyByteCount else {
            throw .providerUnavailable(kind, ProviderFault(code: .keyringKeyLength, number: Int64(key.count)))
        }
        return key
    }
}

/// The items of a vault in the keyring. All of these calls throw `CredentialError.providerUnavailable` with the
/// reason.
extension SecretServiceProvider {
    /// Looks up an item.
    ///
    /// - Parameter attended: whether a user waits for the result, so that the keyring may ask for its password.
    /// - Returns: nil if the keyring, unlocked, has no such item.
    package func find(
        _ item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret? {
        let question = KeyringQuestion(.lookup, item, of: storeID, mayAsk: attended)
        do throws(KeyringRun.Failure) {
            return try run(attended: attended).answer(question, in: arena)
        } catch {
            if case .keyring(.notFound, _) = error { return nil }
            throw unavailable(error)
        }
    }

    /// Replaces the bytes of an item. The helper has read them back when this returns.
    ///
    /// - Parameter bytes: 1 to `KeyringItem.maximumByteCount` bytes.
    package func store(
        _ bytes: borrowing Secret,
        as item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) {
        let question = KeyringQuestion(.store, item, of: storeID, mayAsk: attended, bodyByteCount: bytes.count)
        do throws(KeyringRun.Failure) {
            _ = try bytes.withBytes { bytes throws(KeyringRun.Failure) in
                try run(attended: attended).answer(question, bytes, in: arena)
            }
        } catch {
            throw unavailable(error)
        }
    }

    /// Sends a question whose answer has no bytes.
    ///
    /// - Parameter attended: as in `find`.
    func order(
        _ verb: KeyringVerb,
        _ item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) {
        do throws(KeyringRun.Failure) {
            let question = KeyringQuestion(verb, item, of: storeID, mayAsk: attended)
            _ = try run(attended: attended).answer(question, in: arena)
        } catch {
            throw unavailable(error)
        }
    }

    func unavailable(_ failure: KeyringRun.Failure) -> CredentialError {
        if case .local(let error) = failure { return CredentialError(error) }
        return .providerUnavailable(kind, failure.fault)
    }

    private func run(attended: Bool) -> KeyringRun {
        KeyringRun(helper: helper, environment: environment, timeout: attended ? timeout : unattendedTimeout)
    }
}

/// The anchor is a separate item, next to the key. The user is never asked for the keyring's password because of it:
/// if the keyring is locked, these calls fail.
extension SecretServiceProvider: AnchorKeeper {
    package func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError) {
        let arena = try Self.arena(for: bytes.count)
        let anchor = try translated(Secret(copying: bytes, in: arena))
        try store(anchor, as: .anchor, of: storeID, attended: false, in: arena)
    }

    package func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]? {
        let arena = try Self.arena(for: AnchorRecord.byteCount)
        guard let anchor = try find(.anchor, of: storeID, attended: false, in: arena) else { return nil }
        return anchor.withBytes { Array($0) }
    }

    private static func arena(for byteCount: Int) throws(CredentialError) -> SecretArena {
        try translated(SecretArena(byteCount: byteCount))
    }
}

/// One question to the Secret Service, answered by one run of the helper.
struct KeyringRun {
    enum Failure: Error, Hashable {
        /// The Secret Service refused. `detail` is its message, safe to show.
        case keyring(KeyringFailure, detail: String)
        /// The user was asked for the keyring's password and has not answered.
        case unanswered(Duration)
        case silent(Duration)
        case noHelper(path: String, errno: Int32)
        /// The helper exited with this wait status.
        case helperEnded(status: Int32)
        case notUnderstood
        /// This process failed to allocate memory.
        case local(PlatformError)
    }

    private enum Answer: ~Copyable {
        case bytes(Secret)
        case refused(KeyringFailure, detail: String)
        case notUnderstood
    }

    private static let detailColumns = 160

    let helper: String
    let environment: [String]
    let timeout: Duration

    /// Runs the helper.
    ///
    /// - Parameter body: the bytes to store.
    /// - Returns: the bytes that were looked up; empty for the other verbs.
    func answer(
        _ question: KeyringQuestion,
        _ body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        in arena: SecretArena
    ) throws(Failure) -> Secret {
        let process = try start()
        var isAsking = false
        let answer: Answer
        do throws(HelperProcess.Failure) {
            try process.send(question.bytes)
            try process.send(body)
            answer = try Self.answer(from: process, &isAsking, in: arena)
        } catch {
            switch error {
            case .late: throw isAsking ? .unanswered(timeout) : .silent(timeout)
            case .local(let error): throw .local(error)
            case .closed, .notStarted, .stopped: throw .helperEnded(status: process.finish())
            }
        }
        switch consume answer {
        case .bytes(let secret): return secret
        case .refused(let failure, let detail): throw .keyring(failure, detail: detail)
        case .notUnderstood: throw .notUnderstood
        }
    }

    private func start() throws(Failure) -> HelperProcess {
        do throws(HelperProcess.Failure) {
            return try HelperProcess(helper, environment: environment, end: .now + timeout)
        } catch {
            guard case .notStarted(let number) = error else { throw .silent(timeout) }
            throw .noHelper(path: helper, errno: number)
        }
    }

    /// Reads the answer of the helper.
    ///
    /// - Parameter isAsking: becomes true when the helper reports that the keyring asks the user.
    private static func answer(
        from process: HelperProcess,
        _ isAsking: inout Bool,
        in arena: SecretArena
    ) throws(HelperProcess.Failure) -> Answer {
        while true {
            switch KeyringReply(try process.receive(byteCount: KeyringReply.byteCount)) {
            case .asking:
                isAsking = true
            case .done(let count):
                return .bytes(try process.receive(secretOf: count, in: arena))
            case .failed(let failure, let count):
                let detail = Printable(bytes: try process.receive(byteCount: count), columns: detailColumns)
                return .refused(failure, detail: detail.description)
            case nil:
                return .notUnderstood
            }
        }
    }
}

extension KeyringRun.Failure {
    /// The fault for the API.
    var fault: ProviderFault {
        switch self {
        case .keyring(let failure, let detail):
            ProviderFault(code: failure.code, detail: detail.isEmpty || !failure.isExplained ? nil : detail)
        case .unanswered(let timeout): ProviderFault(code: .keyringUnanswered, number: Int64(timeout.milliseconds))
        case .silent(let timeout): ProviderFault(code: .serviceSilent, number: Int64(timeout.milliseconds))
        case .noHelper(let path, let number):
            ProviderFault(
                code: .helperNotStarted,
                path: path,
                number: Int64(number),
                detail: String(cString: strerror(number))
            )
        case .helperEnded(let status):
            status & 0x7F == 0
                ? ProviderFault(code: .helperEnded, number: Int64(status >> 8 & 0xFF))
                : ProviderFault(code: .helperKilled, number: Int64(status & 0x7F))
        case .notUnderstood: ProviderFault(code: .helperOutdated)
        case .local(let error): ProviderFault(code: .error, detail: error.description)
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}

extension KeyringFailure {
    fileprivate var code: ProviderFault.Code {
        switch self {
        case .noBus: .noBus
        case .noService: .noService
        case .locked: .keyringLocked
        case .dismissed: .keyringDismissed
        case .notFound: .keyringNoKey
        case .duplicates: .keyringDuplicates
        case .noDefaultCollection: .keyringNoDefault
        case .sessionCollection: .keyringTemporary
        case .plainSession: .servicePlain
        case .notKept: .keyringNotKept
        case .vanished: .serviceVanished
        case .noAnswer: .serviceSilent
        case .tooLarge: .keyringItemTooLarge
        case .refused: .serviceRefused
        case .badQuestion: .helperOutdated
        case .helper: .helperUnsafe
        }
    }

    /// Whether the other side's own words add something.
    fileprivate var isExplained: Bool {
        switch self {
        case .noBus, .noService, .refused, .helper: true
        default: false
        }
    }
}
