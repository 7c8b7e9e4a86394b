// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "text is parsed, and printed as in RFC 5952",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("127.0.0.1", "127.0.0.1"), ("192.168.0.150", "192.168.0.150"),
            ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8::A", "2001:db8::a"),
            ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
            // The longest run of zeros is shortened, the first of two equal runs, and never a single zero.
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("ff02::fb", "ff02::fb"),
            ("::ffff:192.0.2.33", "::ffff:192.0.2.33"), ("::ffff:c000:221", "::ffff:192.0.2.33"),
            ("fe80::1%2", "fe80::1%2"), ("FE80::ABCD%4294967295", "fe80::abcd%4294967295"), ("fe80::1", "fe80::1"),
        ]
    )
    func printing(text: String, printed: String) throws {
        let address = try #require(IPAddress(text))
        #expect("\(address)" == printed)
        #expect(IPAddress(printed) == address)
        #expect(address.family == (text.contains(":") ? .inet6 : .inet))
    }

    @Test(
        "spellings that only some libraries accept are rejected",
        arguments: [
            "", " ", "1", "1.2", "1.2.3", "1.2.3.", "1.2.3.4.", "1.2.3.4.5", ".1.2.3.4", "1..3.4", "256.1.1.1",
            "01.2.3.4", "010.0.0.1", "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n",
            "1.2.3.4\0", "1.2.3.4/8", "-1.2.3.4", "+1.2.3.4", "1.2.3.4%1", "１.２.３.４",
            ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1::", "12345::", "g::", "[::1]", "::1 ", "::1\0",
            "::1.2.3", "::1.2.3.256", "::1/64",
            // Scopes only for link-local addresses, and only as digits.
            "::1%1", "2001:db8::1%1", "fe80::1%", "fe80::1%0", "fe80::1%eth0", "fe80::1%-1", "fe80::1%+1",
            "fe80::1% 1", "fe80::1%1%2", "fe80::1%4294967296", "fe80::1%0x1", "%1", "fe80::1%１",
        ]
    )
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("only 4 and 16 bytes are an address", arguments: 0...20)
    func lengths(count: Int) {
        #expect((IPAddress(bytes: [UInt8](repeating: 1, count: count)) != nil) == (count == 4 || count == 16))
    }

    @Test("a scope is kept for link-local IPv6 only")
    func scopes() throws {
        let linkLocal = try #require(IPAddress("fe80::1"))
        #expect(IPAddress(bytes: linkLocal.bytes, scope: 3)?.scope == 3)
        #expect(IPAddress(bytes: linkLocal.bytes, scope: 3) != linkLocal)
        for text in ["::1", "2001:db8::1", "fec0::1", "169.254.1.1"] {
            let address = try #require(IPAddress(text))
            #expect(IPAddress(bytes: address.bytes, scope: 3) == address, "\(text)")
        }
    }

    @Test(
        "addresses are classified",
        arguments: [
            // Loopback, link-local IPv6, names no host.
            ("127.0.0.1", true, false, false), ("127.255.255.255", true, false, false),
            ("126.0.0.1", false, false, false),
            ("128.0.0.1", false, false, false), ("::1", true, false, false), ("::2", false, false, false),
            ("::ffff:127.0.0.1", true, false, false), ("::127.0.0.1", false, false, false),
            ("::ffff:10.0.0.1", false, false, false),
            ("fe80::1", false, true, false), ("febf::1", false, true, false), ("fec0::1", false, false, false),
            ("fe7f::1", false, false, false), ("169.254.1.1", false, false, false),
            ("0.0.0.0", false, false, true), ("0.255.0.1", false, false, true), ("1.0.0.0", false, false, false),
            ("223.255.255.255", false, false, false), ("224.0.0.251", false, false, true),
            ("240.0.0.1", false, false, true), ("255.255.255.255", false, false, true),
            ("::", false, false, true), ("ff02::fb", false, false, true), ("fe00::1", false, false, false),
            ("::ffff:0.0.0.0", false, false, true), ("::ffff:224.0.0.1", false, false, true),
        ]
    )
    func kinds(text: String, isLoopback: Bool, isLinkLocal: Bool, namesNoHost: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isLoopback == isLoopback)
        #expect(address.isLinkLocalIPv6 == isLinkLocal)
        #expect(address.namesNoHost == namesNoHost)
    }

    @Test("the IPv4 address of a mapped address is returned")
    func mapped() {
        #expect(IPAddress("::ffff:192.0.2.1")?.mappedIPv4 == IPAddress("192.0.2.1"))
        for text in ["192.0.2.1", "::192.0.2.1", "::fffe:192.0.2.1", "1::ffff:192.0.2.1", "::ffff:0:192.0.2.1"] {
            #expect(IPAddress(text)?.mappedIPv4 == nil, "\(text)")
        }
    }

    @Test("10,000 random addresses print like inet_ntop and survive the round trip")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<10_000 {
            let count = Bool.random(using: &random) ? 4 : 16
            // Many zeros, so that runs of them occur in all combinations.
            var bytes = (0..<count).map { _ in
                Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
            }
            if count == 16, Int.random(in: 0..<4, using: &random) == 0 {
                bytes.replaceSubrange(0..<2, with: [0xFE, 0x80])
            }
            let address = try #require(IPAddress(bytes: bytes, scope: .random(in: 0...9, using: &random)))
            let text = "\(address)"
            #expect(IPAddress(text) == address)
            #expect(text.prefix { $0 != "%" } == Self.system(bytes))
        }
    }

    private static func system(_ bytes: [UInt8]) -> Substring {
        var buffer = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        precondition(inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)[...]
    }
}
