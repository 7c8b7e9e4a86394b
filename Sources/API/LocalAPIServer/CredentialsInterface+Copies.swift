// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry
import Synchronization
import Varlink
import VarlinkService

/// Vaults that leave the daemon and vaults that arrive. What leaves is sealed.
extension CredentialsInterface {
    func backup(_ call: TypedCall<CredentialsAPI.BackupCall>) async throws {
        call.reply(.init(try await store.backup()))
    }

    func export(_ call: TypedCall<CredentialsAPI.ExportCall>) async throws {
        // Told before anybody types a passphrase.
        try await store.checkUnlocked()
        let passphrase = try await call.untyped.secret(maximumBytes: SecretLineReader.maximumPassphraseBytes)
        call.reply(.init(try await store.export(passphrase: passphrase)))
    }

    func `import`(_ call: TypedCall<CredentialsAPI.ImportCall>) async throws {
        let isDryRun = call.parameters.dryRun ?? false
        let kind = try Self.provider(call.parameters.provider)
        try await store.checkUnlocked()
        let offer = try await offer(of: kind, call.untyped)
        let copy = try await store.openCopy(try await file(of: call.untyped), with: offer)
        var here: [EndpointID: EndpointID] = [:]
        for (id, location) in copy.locations {
            // Whoever made the file may have written anything there.
            guard let url = try? ServerURL(completing: location.url) else { continue }
            here[id] = await registry.known(url, id: id)
        }
        let logins = try await store.importLogins(of: copy, endpoints: here, isDryRun: isDryRun)
        var note: String?
        if !isDryRun {
            let added = logins.filter { $0.verdict == .added }
            var locations: [EndpointID: EndpointLocation] = [:]
            for login in added { locations[login.endpoint] = login.location }
            note = await takeIn(locations).note
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
        guard status.state == .absent || isReplacing else { throw CredentialError.vaultExists(path: status.path) }
        let offer = try await offer(of: kind, call.untyped)
        try await store.restore(try await file(of: call.untyped), with: offer, isReplacing: isReplacing)
        var locations: [EndpointID: EndpointLocation] = [:]
        for pinned in try await store.pinnedEndpoints() { locations[pinned.endpoint] = pinned.location }
        // The vault is back, whatever becomes of the list of servers.
        var (moved, note) = await takeIn(locations)
        if !moved.isEmpty {
            do {
                try await store.moveEndpoints(moved)
            } catch {
                note = "some logins belong to servers that are in the list under another id: \(error)"
            }
        }
        call.reply(.init(vault: await vault, note: note))
    }

    /// Puts servers into the list that are not known here.
    ///
    /// - Returns: those that have another id here; and what went wrong, as a sentence.
    private func takeIn(
        _ locations: [EndpointID: EndpointLocation]
    ) async -> (moved: [EndpointID: EndpointID], note: String?) {
        var moved: [EndpointID: EndpointID] = [:]
        var note: String?
        for (id, location) in locations.sorted(by: { $0.key.text < $1.key.text }) {
            do {
                let url = try ServerURL(completing: location.url)
                let here = try await registry.takeIn(name: location.name, url: url, id: id)
                if here != id { moved[id] = here }
            } catch {
                note = "the server '\(Printable(location.name))' was not put into the list: \(error)"
            }
        }
        return (moved, note)
    }

    private static func provider(_ word: String) throws -> KeyProviderKind {
        guard let kind = KeyProviderKind(word) else { throw VarlinkError.invalidParameter("provider") }
        return kind
    }

    /// The bytes of a vault, which come in pieces; an empty one ends them. One file at a time, so that callers cannot
    /// fill the memory together.
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

extension VaultFileReply {
    fileprivate init(_ copy: VaultCopy) {
        self.init(
            file: Base64.encode(copy.bytes),
            sha256: HexText.encode(copy.hash),
            generation: Int64(clamping: copy.generation),
            logins: Int64(copy.logins)
        )
    }
}

/// Lets one file at a time into memory.
final class UploadGate: Sendable {
    private let isBusy = Mutex(false)

    /// - Returns: false while another one comes in.
    func begin() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    func end() { isBusy.withLock { $0 = false } }
}
