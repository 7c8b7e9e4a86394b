// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI
import Registry

extension RegistryAPI.Endpoint {
    init(_ endpoint: Endpoint) {
        self.init(
            id: endpoint.id.text,
            name: endpoint.name,
            origin: endpoint.origin,
            state: endpoint.state,
            stateReason: endpoint.stateReason,
            stateSince: endpoint.stateSince,
            stateHeard: endpoint.stateHeard,
            url: endpoint.url.description,
            announcedUrl: endpoint.announcedURL?.description,
            scheme: endpoint.url.scheme == .https ? .https : .http,
            host: endpoint.url.host.text,
            port: Int64(endpoint.url.port),
            path: endpoint.url.path,
            addresses: endpoint.addresses.map(\.description),
            interfaces: endpoint.interfaces,
            sources: endpoint.sources.map(\.text),
            dataService: endpoint.services.data,
            loginService: endpoint.services.login,
            serviceType: endpoint.instance?.type,
            domain: endpoint.instance?.domain,
            txt: endpoint.txt.map { String(decoding: $0, as: UTF8.self) },
            probe: endpoint.isProbed ? .on : .off,
            hidden: endpoint.isHidden,
            readOnly: endpoint.constraints.isReadOnly,
            grantsOnly: endpoint.constraints.isForGrantsOnly,
            sessionExport: false,
            confirm: endpoint.constraints.isConfirmed,
            acceptUnknownOwner: endpoint.constraints.acceptsUnknownOwner,
            loginDomain: endpoint.loginDomain,
            loginSchema: endpoint.loginSchema,
            codePage: endpoint.codePage,
            defaultLogin: endpoint.defaultLogin
        )
    }
}

extension RegistryAPI.Identity {
    init(_ identity: ServerIdentity) throws {
        let fingerprint = Fingerprint(of: identity.pin)
        self.init(
            strength: identity.pin.strength,
            authority: identity.pin.authorityHost,
            fingerprint: fingerprint.text,
            words: fingerprint.words,
            address: identity.address.description,
            port: Int64(identity.port),
            vouchedFor: identity.isPinnedByAdministrator,
            plaintextPermitted: identity.isPlaintextPermitted
        )
    }
}

extension RegistryAPI.Probe {
    init(_ report: ProbeReport) {
        let outcome: Outcome =
            switch report.contact {
            case .reached: .reachable
            case .failed: .unreachable
            case .conflict: .conflict
            }
        let (seconds, attoseconds) = report.took.components
        self.init(
            outcome: outcome,
            reason: report.contact.reason,
            milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        )
    }
}
