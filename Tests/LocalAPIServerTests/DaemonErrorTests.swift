// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Prompts
import Registry
import Testing
import Varlink

@testable import LocalAPIServer

@Suite("Errors of the modules as errors of the API")
struct DaemonErrorTests {
    private static let endpoint = EndpointID("e")

    @Test("an error of the registry keeps the values that a client needs")
    func registry() throws {
        let id = try #require(Self.endpoint)
        #expect(
            DaemonError(RegistryError.notFound(reference: "x"))
                == .endpointNotFound(message: "no endpoint 'x'", endpoint: "x")
        )
        #expect(
            DaemonError(RegistryError.ambiguous(reference: "x", candidates: [id])).parameters["candidates"] == ["e"]
        )
        #expect(DaemonError(RegistryError.alreadyAdded(name: "hall")).parameters["name"] == "hall")
        #expect(DaemonError(RegistryError.notManual(name: "it's here")).parameters["name"] == "it's here")
        #expect(DaemonError(RegistryError.full(limit: 7)).code == .listFull)
        #expect(DaemonError(RegistryError.listTooNew(reason: "r")).code == .listTooNew)
        #expect(DaemonError(RegistryError.tooManyWatchers(limit: 7)).parameters["limit"] == 7)
        #expect(DaemonError(RegistryError.watcherTooSlow).parameters["stream"] == "endpoints")
        #expect(DaemonError(ServerURLError.empty).code == .invalidEndpoint)
    }

    @Test("an error of the vault contains generations, paths and names")
    func values() throws {
        let id = try #require(Self.endpoint)
        #expect(
            DaemonError(CredentialError.rollbackSuspected(found: 3, known: 5)).parameters["found"] == 3
                && DaemonError(CredentialError.forkSuspected(generation: .max)).parameters["found"] == .integer(.max)
        )
        let open = DaemonError(CredentialError.unsafePermissions(path: "/p", reason: "is open", fix: "chmod 600 '/p'"))
        #expect(open == .unsafeStore(message: "'/p' is open", path: "/p", repair: "chmod 600 '/p'"))
        let full = DaemonError(CredentialError.full(.pins, limit: 9))
        #expect(
            full
                == .vaultFull(message: "the vault cannot hold more than 9 pinned endpoints", content: .pins, limit: 9)
        )
        #expect(
            DaemonError(CredentialError.loginsBound(id, names: ["a", "b"])).parameters["logins"] == ["a", "b"]
        )
        #expect(DaemonError(CredentialError.slotNeeded("r", canBeForced: true)).parameters["forceable"] == true)
    }

    @Test("an error of the broker names the endpoint of the call")
    func broker() async throws {
        let id = try #require(Self.endpoint)
        #expect(DaemonError(BrokerError.loginNeeded(endpoint: "Büro Süd")).parameters["name"] == "Büro Süd")
        let rows: [(BrokerError, DaemonError.Code)] = [
            (.unreachable(StateReason(code: .noAddress)), .endpointUnreachable),
            (.identityConflict(StateReason(code: .otherKey)), .identityConflict),
            (.identityUnverified, .identityUnverified), (.ownerUnknown(port: 7), .ownerUnknown),
            (.noAuthority(reason: "r"), .noAuthority), (.plaintextNotAllowed(reason: "r"), .plaintextNotAllowed),
            (.protocolFailure(reason: "r"), .protocolFailure), (.closed, .adapterClosed),
            (.refused(.grantsOnly), .grantsOnly),
        ]
        for (error, code) in rows {
            let thrown = try await #require(throws: DaemonError.self) {
                try await DaemonError.naming(id) { throw error }
            }
            #expect(thrown.code == code && thrown.parameters["endpoint"] == "e", "\(error)")
            #expect(DaemonError(error).parameters["endpoint"] == nil, "\(error)")
        }
        // A new pin does not change whose process answers.
        let other = try await #require(throws: DaemonError.self) {
            try await DaemonError.naming(id) { throw BrokerError.identityConflict(StateReason(code: .otherUser)) }
        }
        #expect(other.code == .identityConflict && other.parameters["endpoint"] == nil)
    }

    @Test("translating converts the errors of a module, and passes others on")
    func translation() async {
        await #expect(throws: DaemonError.vaultLocked(message: "the vault is locked")) {
            try await DaemonError.translating { throw CredentialError.locked }
        }
        await #expect(throws: VarlinkError.expectedMore) {
            try await DaemonError.translating { throw VarlinkError.expectedMore }
        }
    }

    @Test("a failed prompt keeps the original error and adds the reason")
    func unanswered() async {
        let message = "the vault is locked, and the prompt was dismissed"
        await #expect(throws: DaemonError.vaultLocked(message: message).reply) {
            try await DaemonError.translating {
                throw UnansweredPrompt(failure: CredentialError.locked, reason: .dismissed)
            }
        }
    }
}
