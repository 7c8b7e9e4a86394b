// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import JSON
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

/// Vaults that leave the daemon and vaults that arrive. What leaves is sealed.
extension CredentialsInterface {
    func backUp(_ call: VarlinkCall) async throws {
        reply(to: call, with: try await store.backup())
    }

    func export(_ call: VarlinkCall) async throws {
        // Told before anybody types a passphrase.
        try await store.checkUnlocked()
        let passphrase = try await secret(of: call, maximumBytes: SecretLineReader.maximumPassphraseBytes)
        reply(to: call, with: try await store.export(passphrase: passphrase))
    }

    private func reply(to call: VarlinkCall, with copy: VaultCopy) {
        call.reply([
            "file": .string(Base64.encode(copy.bytes)),
            "sha256": .string(HexText.encode(copy.hash)),
            "generation": .integer(Int64(clamping: copy.generation)),
            "logins": .integer(Int64(copy.logins)),
        ])
    }

    func importLogins(_ call: VarlinkCall) async throws {
        let isDryRun = try call.parameters.optionalBool("dryRun") ?? false
        let kind = try provider(of: call)
        try await store.checkUnlocked()
        let offer = try await offer(of: kind, call)
        let copy = try await store.openCopy(try await file(of: call), with: offer)
        let endpoints = try await endpointsHere(for: copy.locations, isDryRun: isDryRun)
        let logins = try await store.importLogins(of: copy, endpoints: endpoints, isDryRun: isDryRun)
        call.reply(["logins": .array(logins.map { .object(ImportedLoginRecord($0).json) })])
    }

    func restore(_ call: VarlinkCall) async throws {
        let isReplacing = try call.parameters.optionalBool("replace") ?? false
        let kind = try provider(of: call)
        await store.refresh()
        let status = await store.status
        guard status.state == .absent || isReplacing else { throw CredentialError.vaultExists(path: status.path) }
        let offer = try await offer(of: kind, call)
        try await store.restore(try await file(of: call), with: offer, isReplacing: isReplacing)
        var locations: [EndpointID: EndpointLocation] = [:]
        for pinned in try await store.pinnedEndpoints() { locations[pinned.endpoint] = pinned.location }
        _ = try await endpointsHere(for: locations, isDryRun: false)
        try await replyWithVault(call)
    }

    private func provider(of call: VarlinkCall) throws -> KeyProviderKind {
        guard let kind = KeyProviderKind(try call.parameters.string("provider")) else {
            throw VarlinkError.invalidParameter("provider")
        }
        return kind
    }

    /// Takes the endpoints of a vault into the list.
    ///
    /// - Returns: those that have another id here.
    private func endpointsHere(
        for locations: [EndpointID: EndpointLocation],
        isDryRun: Bool
    ) async throws -> [EndpointID: EndpointID] {
        var here: [EndpointID: EndpointID] = [:]
        for (id, location) in locations.sorted(by: { $0.key.text < $1.key.text }) {
            // Whoever made the file may have written anything there.
            guard let url = try? ServerURL(completing: location.url) else { continue }
            here[id] =
                isDryRun
                ? await registry.known(url, id: id)
                : try await registry.takeIn(name: location.name, url: url, id: id)
        }
        return here
    }

    /// The bytes of a vault, which come in pieces; an empty one ends them.
    private func file(of call: VarlinkCall) async throws -> [UInt8] {
        var file: [UInt8] = []
        while true {
            let piece = try await call.upgraded(maximumBytes: APILimits.pieceBytes) { Array($0) }
            guard !piece.isEmpty else { return file }
            guard file.count + piece.count <= APILimits.vaultBytes else { throw CredentialError.damaged(.size) }
            file += piece
        }
    }
}
