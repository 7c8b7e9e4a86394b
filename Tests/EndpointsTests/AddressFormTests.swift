// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@Suite("Deceptive spellings of addresses")
struct AddressFormTests {
    /// A network that contains as much of IPv4 and IPv6 as a prefix can.
    private static let everywhere: AddressPolicy = {
        var prefixes = InterfacePrefixes()
        for text in ["1.0.0.0", "128.0.0.0", "::", "8000::"] {
            guard let address = IPAddress(text), let prefix = InterfacePrefixes.Prefix(address, length: 1) else {
                continue
            }
            prefixes.insert(prefix, on: 2)
        }
        return AddressPolicy(prefixes)
    }()

    @Test("there are at least sixty of them")
    func count() {
        #expect(Set(AddressForm.all.map(\.text)).count == AddressForm.all.count)
        #expect(AddressForm.all.count >= 60)
    }

    @Test("a typed spelling means exactly its text, or is rejected", arguments: AddressForm.all)
    func typed(form: AddressForm) throws {
        for text in form.text.contains(":")
            ? ["[\(form.text)]:7099", "http://[\(form.text)]/bin"] : [form.text, "http://\(form.text)/bin"]
        {
            let host = try? ServerURL(completing: text).host
            switch form.typed {
            case .refused:
                #expect(host == nil, "\(text)")
            case .address(let meant):
                #expect(host == .address(try #require(IPAddress(meant)), zone: nil), "\(text)")
            case .name:
                guard case .name = host else {
                    Issue.record("\(text) became \(String(describing: host))")
                    continue
                }
            }
        }
    }

    @Test(
        "no announcement may name such an address, even if the link's network contains every address",
        arguments: AddressForm.all
    )
    func announcedAddress(form: AddressForm) {
        guard let address = IPAddress(form.text) else { return }
        #expect(!Self.everywhere.allows(address, heardOn: 2, isLocal: false))
        if !address.isLoopback { #expect(!Self.everywhere.allows(address, heardOn: 2, isLocal: true)) }
    }

    @Test("as an announced host name it never becomes an address", arguments: AddressForm.all)
    func announcedHost(form: AddressForm) throws {
        let found = try #require(IPAddress("10.77.0.2"))
        let host = ServerHost(announced: form.text, at: found, interface: "eth0")
        guard case .name(let name) = host else {
            #expect(host == .address(found, zone: nil))
            return
        }
        guard case .name = form.typed else {
            Issue.record("\(form.text) is taken for the host name \(name)")
            return
        }
    }

    @Test("an announced name that is invalid or names this machine is replaced by the resolved address")
    func hostileHost() throws {
        let found = try #require(IPAddress("fe80::1%2"))
        let invalid = ["", ".", "a b.local", "a\r\nHost: b", "-x.local", "b\u{FC}ro.local", "a\u{0}.local", "x..local"]
        for name in invalid + ["localhost", "LocalHost.", "a.localhost", "a.LOCALHOST."] {
            #expect(ServerHost(announced: name, at: found, interface: "eth0") == .address(found, zone: "eth0"))
        }
        #expect(ServerHost(announced: "Srv.Local.", at: found, interface: "eth0") == .name("srv.local"))
    }
}
