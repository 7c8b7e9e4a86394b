// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import LocalAPI
import Locks
import Platform
import Registry
import Varlink
import VarlinkService

/// Copies of the vault that the daemon sends, and vaults that it receives. A vault that it sends is sealed.
extension CredentialsInterface {
    func backup(_ call: TypedCall<CredentialsAPI.BackupCall>) async throws {
        call.reply(.init(try await store.backup()))
    }

    func export(_ call: TypedCall<CredentialsAPI.ExportCall>) async throws {
        // Check before the user types a passphrase.
        try await store.checkUnlocked()
        let passphrase = try await call.untyped.secret(maximumBytes: SecretLineReader.maximumPassphraseBytes)
        call.reply(.init(try await store.export(passphrase: passphrase)))
    }

    func `import`(_ call: TypedCall<CredentialsAPI.ImportCall>) async throws {
        let isDryRun = call.parameters.dryRun ?? false
        let kind = try Self.provider(call.parameters.provider)
        try await store.checkUnlocked()
        let input = try await input(of: kind, call.untyped)
        let copy = try await store.openCopy(try await file(of: call.untyped), with: input)
        var here: [EndpointID: EndpointID] = [:]
        for (id, location) in copy.locations {
            // The file is untrusted: its author may have written any text there.
            guard let url = try? ServerURL(completing: location.url) else { continue }
            here[id] = await registry.known(url, id: id)
        }
        let logins = try await store.importLogins(of: copy, endpoints: here, isDryRun: isDryRun)
        var note: String?
        if !isDryRun {
            let added = logins.filter { $0.verdict == .added }
            var locations: [EndpointID: EndpointLocation] = [:]
            for login in added { locations[login.endpoint] = login.location }
            note = await importEntries(locations).note
        }
        var records: [CredentialsAPI.ImportedLogin] = []
        for login in logins {
            records.append(CredentialsAPI.ImportedLogin(login, at: await registry.endpoint(login.endpoint)))
        }
        call.reply(.init(logins: records, note: note))
    }

    func restore(_ call: TypedCall<CredentialsAPI.RestoreCall>) async throws {
        let isReplacing = call.parameters.replace ?? false
        let kind = try Self.provider(call.parameters.provider)
        await store.refresh()
        let status = await store.status
        if let fault = status.accessFault { throw fault }
        guard status.hasRoom || isReplacing else { throw CredentialError.vaultExists(path: status.path) }
        let input = try await input(of: kind, call.untyped)
        try await store.restore(try await file(of: call.untyped), with: input, isReplacing: isReplacing)
        var locations: [EndpointID: EndpointLocation] = [:]
        for (pin, _) in try await store.boundLogins() { locations[pin.endpoint] = pin.location }
        // The vault is restored even if the list of servers cannot be changed.
        var (moved, note) = await importEntries(locations)
        if !moved.isEmpty {
            do {
                try await store.moveEndpoints(moved)
            } catch {
                note = "some logins belong to servers that have another ID in the list: \(error)"
            }
        }
        let waiting = try await store.logins().filter { $0.origin == .vault && $0.command?.isAgreed == false }
        call.reply(.init(vault: await vault, note: note, commandsToAgree: waiting.map(\.name)))
    }

    /// Adds the servers of a vault that are not in the list.
    ///
    /// - Returns: the servers that have another ID here, and the last error as a sentence.
    private func importEntries(
        _ locations: [EndpointID: EndpointLocation]
    ) async -> (moved: [EndpointID: EndpointID], note: String?) {
        var moved: [EndpointID: EndpointID] = [:]
        var note: String?
        for (id, location) in locations.sorted(by: { $0.key.text < $1.key.text }) {
            do {
                let url = try ServerURL(completing: location.url)
                let here = try await registry.importEntry(name: location.name, url: url, id: id)
                if here != id { moved[id] = here }
            } catch {
                note = "the server '\(Printable(location.name))' was not added to the list: \(error)"
            }
        }
        return (moved, note)
    }

    private static func provider(_ word: String) throws -> KeyProviderKind {
        guard let kind = KeyProviderKind(word) else { throw VarlinkError.invalidParameter("provider") }
        return kind
    }

    /// Receives the bytes of a vault in chunks. An empty chunk ends them. Only one file is received at a time, so that
    /// callers together cannot exhaust the memory.
    private func file(of call: VarlinkCall) async throws -> [UInt8] {
        guard uploads.begin() else { throw CredentialError.attemptInProgress }
        defer { uploads.end() }
        var file: [UInt8] = []
        while true {
            let piece = try await call.upgraded(maximumBytes: APILimits.pieceBytes) { Array($0) }
            guard !piece.isEmpty else { return file }
            guard file.count + piece.count <= APILimits.vaultBytes else { throw CredentialError.damaged(.size) }
            file += piece
        }
    }
}

extension CredentialsAPI.BackupReply {
    fileprivate init(_ copy: VaultCopy) {
        self.init(
            file: Base64.encode(copy.bytes),
            sha256: HexText.encode(copy.hash),
            generation: Int64(clamping: copy.generation),
            logins: Int64(copy.logins)
        )
    }
}

/// Admits one file at a time into memory.
final class UploadGate: Sendable {
    private let isBusy = Lock(false)

    /// Enters the gate.
    ///
    /// - Returns: false while another file is being received.
    func begin() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    func end() { isBusy.withLock { $0 = false } }
}
