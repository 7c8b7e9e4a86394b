// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Testing
import Varlink

@testable import LocalAPIServer

/// The permissions of every method of every interface, on the daemon's own socket, in every state of the vault, in the
/// order absent, sealed, unlocked, locked. `.` is allowed, `V` needs an unlocked vault.
@Suite struct MethodScopeTests {
    private static let table = """
        org.relativityd.Audit.List                      ....
        org.relativityd.Audit.Verify                    VV.V
        org.relativityd.Broker.AddGrant                 ....
        org.relativityd.Broker.Capture                  ....
        org.relativityd.Broker.Choose                   ....
        org.relativityd.Broker.Close                    ....
        org.relativityd.Broker.List                     ....
        org.relativityd.Broker.ListGrants               ....
        org.relativityd.Broker.Open                     ....
        org.relativityd.Broker.OpenSession              ....
        org.relativityd.Broker.RevokeGrant              ....
        org.relativityd.Broker.Watch                    ....
        org.relativityd.Credentials.Accept              ....
        org.relativityd.Credentials.AddAlternate        ....
        org.relativityd.Credentials.AddLogin            ....
        org.relativityd.Credentials.AddSlot             VV.V
        org.relativityd.Credentials.Backup              ....
        org.relativityd.Credentials.ChangePassphrase    VV.V
        org.relativityd.Credentials.EditLogin           ....
        org.relativityd.Credentials.Export              VV.V
        org.relativityd.Credentials.ForgetPin           ....
        org.relativityd.Credentials.GetStatus           ....
        org.relativityd.Credentials.Import              VV.V
        org.relativityd.Credentials.Init                ....
        org.relativityd.Credentials.LabelSlot           VV.V
        org.relativityd.Credentials.ListAddresses       VV.V
        org.relativityd.Credentials.ListLogins          ....
        org.relativityd.Credentials.ListPins            VV.V
        org.relativityd.Credentials.ListProviders       ....
        org.relativityd.Credentials.Lock                ....
        org.relativityd.Credentials.PinEndpoint         ....
        org.relativityd.Credentials.RemoveAlternate     ....
        org.relativityd.Credentials.RemoveLogin         ....
        org.relativityd.Credentials.RemoveSlot          VV.V
        org.relativityd.Credentials.RepinEndpoint       ....
        org.relativityd.Credentials.Restore             ....
        org.relativityd.Credentials.RewrapSlot          VV.V
        org.relativityd.Credentials.RotateKey           VV.V
        org.relativityd.Credentials.TestLogin           ....
        org.relativityd.Credentials.Unlock              ....
        org.relativityd.Credentials.Upgrade             ....
        org.relativityd.Manager.GetCapabilities         ....
        org.relativityd.Manager.GetConfiguration        ....
        org.relativityd.Manager.GetMetrics              ....
        org.relativityd.Manager.GetStatus               ....
        org.relativityd.Registry.Add                    ....
        org.relativityd.Registry.Export                 ....
        org.relativityd.Registry.Get                    ....
        org.relativityd.Registry.GetIdentity            ....
        org.relativityd.Registry.Import                 ....
        org.relativityd.Registry.List                   ....
        org.relativityd.Registry.Probe                  ....
        org.relativityd.Registry.Remove                 ....
        org.relativityd.Registry.Set                    ....
        org.relativityd.Registry.Watch                  ....
        """

    private static var rows: [(method: String, cells: [Character])] {
        table.split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            return (String(parts[0]), Array(parts[1]))
        }
    }

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

    @Test("a method that connects, tests or changes something is not open to HTTP GET")
    func safeMethods() throws {
        let safe = try Self.declared().filter { MethodScopes.scope(of: $0) == .look }
        #expect(
            safe.map { $0.replacing("org.relativityd.", with: "") }.sorted() == [
                "Audit.List", "Broker.Choose", "Broker.List", "Broker.ListGrants", "Broker.Watch",
                "Credentials.GetStatus",
                "Credentials.ListLogins", "Manager.GetCapabilities", "Manager.GetConfiguration", "Manager.GetMetrics",
                "Manager.GetStatus", "Registry.Export", "Registry.Get", "Registry.List", "Registry.Watch",
            ]
        )
    }

    @Test("exactly the declared methods have a row and a scope")
    func complete() throws {
        let declared = try Self.declared()
        #expect(declared.count > 40 && Set(declared).count == declared.count)
        #expect(Set(Self.rows.map(\.method)) == Set(declared))
        #expect(declared.allSatisfy { MethodScopes.scope(of: $0) != nil })
        #expect(MethodScopes.scope(of: "org.relativityd.Broker.Nonsense") == nil)
    }

    @Test("each method is allowed or refused as the table specifies, and only for the daemon's user on its own socket")
    func cells() throws {
        let states = [VaultState.absent, .sealed, .unlocked, .locked]
        let filter = try CallFilter(
            services: ["DataService"],
            methods: ["GetSchema"],
            isReadOnly: false,
            at: .relativity
        )
        let elsewhere: [AccessRoute] = [
            .adapter(sharesSession: true), .adapter(sharesSession: false), .grant(filter, isOver: false),
        ]
        var count = 0
        for row in Self.rows {
            let scope = try #require(MethodScopes.scope(of: row.method))
            for (state, cell) in zip(states, row.cells) {
                var access = Access(peer: 1_000, user: 1_000, route: .main, action: .method(scope), vault: state)
                let expected: AccessRefusal? = cell == "V" ? .vaultNotOpen : nil
                #expect(access.refusal == expected, "\(row.method) \(state)")
                for peer in [UInt32(0), 1_001, 65_534] {
                    access.peer = peer
                    #expect(access.refusal == .otherUser, "\(row.method) \(state) \(peer)")
                }
                access.peer = 1_000
                for route in elsewhere {
                    access.route = route
                    #expect(access.refusal == .wrongSocket, "\(row.method) \(state) \(route)")
                }
                access.route = .grant(filter, isOver: true)
                #expect(access.refusal == .grantIsOver)
                count += 8
            }
        }
        print("\(count) cells of \(Self.rows.count) methods")
    }
}
