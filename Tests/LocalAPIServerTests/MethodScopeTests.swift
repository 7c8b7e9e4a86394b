// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Registry
import Testing
import Varlink

@testable import LocalAPIServer

/// The permissions of every method of every interface, on the daemon's own socket, in every state of the vault.
@Suite struct MethodScopeTests {
    /// The methods that need an unlocked vault.
    private static let vault: Set = [
        "Audit.Verify", "Credentials.AddSlot", "Credentials.ChangePassphrase", "Credentials.Export",
        "Credentials.Import", "Credentials.LabelSlot", "Credentials.ListAddresses", "Credentials.ListPins",
        "Credentials.RemoveSlot", "Credentials.RewrapSlot", "Credentials.RotateKey",
    ]
    /// The methods that read state only, which are open to HTTP GET.
    private static let look: Set = [
        "Audit.List", "Broker.Choose", "Broker.List", "Broker.ListGrants", "Broker.Watch", "Credentials.GetStatus",
        "Credentials.ListLogins", "Manager.GetCapabilities", "Manager.GetConfiguration", "Manager.GetMetrics",
        "Manager.GetStatus", "Registry.Export", "Registry.Get", "Registry.List", "Registry.Watch",
    ]

    /// The methods that the interfaces declare.
    private static func declared() throws -> [String] {
        try InterfaceText.all.flatMap { try methods(in: $0) }
    }

    private static func methods(in text: String) throws -> [String] {
        let description = try VarlinkDescription(parsing: text)
        return description.methods.map { "\(description.name).\($0.name)" }
    }

    @Test("the second socket opens adapters for its own user, and no method with another scope is allowed there")
    func secondSocket() throws {
        let methods = try Self.methods(in: InterfaceText.adapters)
        #expect(methods == ["org.relativityd.Adapters.Open"])
        #expect(MethodScopes.scope(of: methods[0]) == .use)
        for scope in MethodScope.allCases {
            for vault in VaultState.allCases {
                var access = Access(peer: 1_000, user: 1_000, route: .adapters, action: .method(scope), vault: vault)
                #expect(access.refusal == (scope == .use ? nil : .wrongSocket), "\(scope) \(vault)")
                access.constraints.isForGrantsOnly = true
                #expect(access.refusal == (scope == .use ? .grantsOnly : .wrongSocket), "\(scope) \(vault)")
                access.peer = 0
                #expect(access.refusal == .otherUser)
            }
        }
    }

    @Test("each declared method has a scope: exactly these read only, exactly these need an unlocked vault")
    func scopes() throws {
        let declared = try Self.declared()
        #expect(declared.count > 40 && Set(declared).count == declared.count)
        var methods: [MethodScope: Set<String>] = [:]
        for method in declared {
            let scope = try #require(MethodScopes.scope(of: method), "\(method)")
            methods[scope, default: []].insert(method.replacing("org.relativityd.", with: ""))
        }
        #expect(methods[.look] == Self.look && methods[.vault] == Self.vault)
        #expect(MethodScopes.scope(of: "org.relativityd.Broker.Nonsense") == nil)
    }

    @Test("only methods for an unlocked vault need one, and only the daemon's user has access, on its own socket")
    func cells() throws {
        let filter = try CallFilter(
            services: ["DataService"],
            methods: ["GetSchema"],
            isReadOnly: false,
            at: .relativity
        )
        let elsewhere: [AccessRoute] = [
            .adapter(sharesSession: true), .adapter(sharesSession: false), .grant(filter, isOver: false),
        ]
        for scope in MethodScope.allCases {
            for state in VaultState.allCases {
                var access = Access(peer: 1_000, user: 1_000, route: .main, action: .method(scope), vault: state)
                let isClosed = scope == .vault && state != .unlocked
                #expect(access.refusal == (isClosed ? .vaultNotOpen : nil), "\(scope) \(state)")
                for peer in [UInt32(0), 1_001, 65_534] {
                    access.peer = peer
                    #expect(access.refusal == .otherUser, "\(scope) \(state) \(peer)")
                }
                access.peer = 1_000
                for route in elsewhere {
                    access.route = route
                    #expect(access.refusal == .wrongSocket, "\(scope) \(state) \(route)")
                }
                access.route = .grant(filter, isOver: true)
                #expect(access.refusal == .grantIsOver)
            }
        }
    }
}
