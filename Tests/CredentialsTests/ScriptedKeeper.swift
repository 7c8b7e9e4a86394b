// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Locks
import Platform

@testable import Credentials

/// A key provider that stores anchors, and fails on demand.
final class ScriptedKeeper: KeyProvider, AnchorKeeper {
    struct State {
        var anchors: [[UInt8]: [UInt8]] = [:]
        var fault: String?
        var writes = 0
    }

    let kind = KeyProviderKind.credentialsDirectory
    let state = Lock(State())
    private let key: [UInt8]

    init(key: [UInt8]) {
        self.key = key
    }

    func probe(in arena: SecretArena) throws(CredentialError) {}

    func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(for: storeID, in: arena)
    }

    func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try translated(Secret(copying: key, in: arena))
    }

    func removeKey(for storeID: [UInt8]) throws(CredentialError) {}

    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError) {
        try state.withLock { state throws(CredentialError) in
            state.writes += 1
            if let fault = state.fault { throw .providerUnavailable(kind, ProviderFault(code: .error, detail: fault)) }
            state.anchors[storeID] = bytes
        }
    }

    func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]? {
        try state.withLock { state throws(CredentialError) in
            if let fault = state.fault { throw .providerUnavailable(kind, ProviderFault(code: .error, detail: fault)) }
            return state.anchors[storeID]
        }
    }
}
