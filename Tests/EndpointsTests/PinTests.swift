// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Pins")
struct PinTests {
    @Test("the record of a TLS key has strength, length and digest")
    func tls() {
        let pin = Pin.tls(spkiSHA256: [UInt8](0..<32))
        #expect(pin.strength == .tlsKey)
        #expect(
            Self.hex(pin.canonicalRecord)
                == "03" + "2000" + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        )
    }

    @Test(
        "the record of plain HTTP has strength, length, address, length and port, all little-endian",
        arguments: [
            ("192.168.0.150", 7099, .address, "01" + "0400" + "c0a80096" + "0200" + "bb1b"),
            ("10.0.0.1", 1, .address, "01" + "0400" + "0a000001" + "0200" + "0100"),
            ("2001:db8::1", 65535, .address, "01" + "1000" + "20010db8000000000000000000000001" + "0200" + "ffff"),
            ("127.0.0.1", 7099, .loopback, "00" + "0400" + "7f000001" + "0200" + "bb1b"),
            ("::1", 256, .loopback, "00" + "1000" + "00000000000000000000000000000001" + "0200" + "0001"),
            ("::ffff:127.0.0.1", 80, .loopback, "00" + "1000" + "00000000000000000000ffff7f000001" + "0200" + "5000"),
        ] as [(String, UInt16, PinStrength, String)]
    )
    func plain(address: String, port: UInt16, strength: PinStrength, record: String) throws {
        let pin = Pin.plain(try #require(IPAddress(address)), port: port)
        #expect(pin.strength == strength)
        #expect(Self.hex(pin.canonicalRecord) == record)
    }

    @Test("an authority's record has strength, `ca` and host, and a link-local address cannot have one")
    func authority() throws {
        let pin = try #require(Pin.authority(of: try ServerHost(parsing: "DB.example.")))
        #expect(
            pin == .authority(host: "db.example") && pin.strength == .authority && pin.authorityHost == "db.example"
        )
        #expect(Self.hex(pin.canonicalRecord) == "03" + "0200" + "6361" + "0a00" + "64622e6578616d706c65")
        #expect(Pin.authority(of: try ServerHost(parsing: "2001:DB8::7")) == .authority(host: "2001:db8::7"))
        #expect(Pin.authority(of: try ServerHost(parsing: "fe80::1%eth0")) == nil)
        for host in ["db.example", "2001:db8::7", "a_b", String(repeating: "a", count: 253)] {
            #expect(Pin.isAuthorityHost(host))
        }
        for host in ["", "DB", "a b", "a/b", "é", String(repeating: "a", count: 254)] {
            #expect(!Pin.isAuthorityHost(host))
        }
    }

    @Test("both kinds of TLS share the code of a strength, and only they are encrypted")
    func strengths() {
        #expect(PinStrength.allCases.map(\.code) == [3, 3, 1, 0])
        #expect(PinStrength.allCases.map(\.isEncrypted) == [true, true, false, false])
    }

    @Test("the scope of a link-local address is not part of the pin or its record")
    func scope() throws {
        let (one, other) = (try #require(IPAddress("fe80::1%2")), try #require(IPAddress("fe80::1%3")))
        #expect(Pin.plain(one, port: 80) == Pin.plain(other, port: 80))
        #expect(Pin.address(one, port: 80).canonicalRecord == Pin.address(other, port: 80).canonicalRecord)
    }

    @Test("only plain pins of fe80::/10 are link-local")
    func linkLocal() throws {
        for (text, isLinkLocal) in [
            ("fe80::1%2", true), ("febf::1%2", true), ("fec0::1", false), ("2001:db8::1", false), ("fd00::1", false),
            ("169.254.1.1", false), ("127.0.0.1", false), ("::1", false),
        ] {
            let address = try #require(IPAddress(text))
            #expect(Pin.plain(address, port: 80).isLinkLocal == isLinkLocal, "\(text)")
            #expect(address.withoutScope.description == String(text.prefix { $0 != "%" }))
        }
        #expect(!Pin.authority(host: "fe80::1").isLinkLocal)
        #expect(!Pin.tls(spkiSHA256: [UInt8](repeating: 0xFE, count: 32)).isLinkLocal)
    }

    @Test("an interface is identified by its number, only for link-local addresses")
    func interfaces() throws {
        #expect(IPAddress("fe80::1%1")?.interfaceName == "lo")
        for text in ["fe80::1", "fe80::1%2147483646", "127.0.0.1", "::1"] {
            #expect(try #require(IPAddress(text)).interfaceName == nil, "\(text)")
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
