// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@Suite("Server addresses as users type them")
struct ServerURLParsingTests {
    @Test(
        "missing parts are completed",
        arguments: [
            ("192.168.0.150", "http://192.168.0.150:7099/bin"), ("192.168.0.150:8099", "http://192.168.0.150:8099/bin"),
            ("1.2.3.4:1", "http://1.2.3.4:1/bin"), ("1.2.3.4:65535", "http://1.2.3.4:65535/bin"),
            ("1.2.3.4:0080", "http://1.2.3.4:80/bin"), ("127.0.0.1", "http://127.0.0.1:7099/bin"),
            ("office", "http://office:7099/bin"), ("Office.Local.", "http://office.local:7099/bin"),
            ("server-1.example.com:80", "http://server-1.example.com:80/bin"),
            ("a_b.local", "http://a_b.local:7099/bin"),
            ("1password.com", "http://1password.com:7099/bin"),
            ("xn--bcher-kva.example", "http://xn--bcher-kva.example:7099/bin"),
            ("1.2.3.4.example", "http://1.2.3.4.example:7099/bin"), ("0x7f.example", "http://0x7f.example:7099/bin"),
            ("::1", "http://[::1]:7099/bin"), ("[::1]", "http://[::1]:7099/bin"), ("[::1]:80", "http://[::1]:80/bin"),
            ("2001:DB8:0:0::1", "http://[2001:db8::1]:7099/bin"),
            ("[2001:db8::1]:7099", "http://[2001:db8::1]:7099/bin"),
            ("fe80::1%eth0", "http://[fe80::1%eth0]:7099/bin"),
            ("[fe80::1%wlan0.5]:80", "http://[fe80::1%wlan0.5]:80/bin"),
            ("::ffff:10.0.0.1", "http://[::ffff:10.0.0.1]:7099/bin"),
            ("http://10.0.0.1", "http://10.0.0.1:80/bin"), ("https://10.0.0.1", "https://10.0.0.1:443/bin"),
            ("HTTPS://Server.Example/", "https://server.example:443/"),
            ("http://10.0.0.1:7099", "http://10.0.0.1:7099/bin"),
            ("http://10.0.0.1:7099/BIN", "http://10.0.0.1:7099/BIN"),
            ("https://s.example:8443/a/b;c=d", "https://s.example:8443/a/b;c=d"),
            ("http://s.example/a:b@c", "http://s.example:80/a:b@c"), ("http://[::1]/x", "http://[::1]:80/x"),
            ("http://s.example/%20", "http://s.example:80/%20"),
        ]
    )
    func completed(text: String, url: String) throws {
        let read = try ServerURL(completing: text)
        #expect("\(read)" == url)
        #expect(try ServerURL(completing: url) == read)
    }

    private static let nonsense: [(String, ServerURLError)] = [
        ("", .empty),
        // Characters
        (" ", .unprintable), (" 1.2.3.4", .unprintable), ("1.2.3.4 ", .unprintable), ("a b", .unprintable),
        ("a\tb", .unprintable), ("a\n", .unprintable), ("a\r\nHost: b", .unprintable), ("a\0", .unprintable),
        ("a\u{7F}", .unprintable), ("\u{1B}[2J", .unprintable), ("bücher.example", .unprintable),
        ("１.2.3.4", .unprintable), ("a\u{200B}b", .unprintable), ("a\u{202E}b", .unprintable),
        ("例え.jp", .unprintable), ("http://a/ü", .unprintable), ("http://a/ b", .unprintable),
        ("1。2。3。4", .unprintable), ("\u{212A}iosk.local", .unprintable),
        // Numbers that some libraries parse as addresses
        ("0x7f.1", .badHost("0x7f.1")), ("127.1", .badHost("127.1")), ("2130706433", .badHost("2130706433")),
        ("0x7f000001", .badHost("0x7f000001")), ("017700000001", .badHost("017700000001")),
        ("0X7F.0.0.0X1", .badHost("0X7F.0.0.0X1")), ("1.2.3", .badHost("1.2.3")), ("1.2.3.4.5", .badHost("1.2.3.4.5")),
        ("1.2.3.256", .badHost("1.2.3.256")), ("01.2.3.4", .badHost("01.2.3.4")), ("1.2.3.4.", .badHost("1.2.3.4.")),
        ("1.2.3.0x4", .badHost("1.2.3.0x4")), ("a.1", .badHost("a.1")), ("0", .badHost("0")),
        // Addresses of no host
        ("0.0.0.0", .addressOfNoHost("0.0.0.0")), ("0.1.2.3", .addressOfNoHost("0.1.2.3")),
        ("224.0.0.251", .addressOfNoHost("224.0.0.251")), ("255.255.255.255", .addressOfNoHost("255.255.255.255")),
        ("::", .addressOfNoHost("::")), ("[ff02::fb]", .addressOfNoHost("ff02::fb")),
        ("[::ffff:0.0.0.0]:80", .addressOfNoHost("::ffff:0.0.0.0")), ("ff02::1%eth0", .addressOfNoHost("ff02::1%eth0")),
        // Names
        (".", .badHost(".")), ("..", .badHost("..")), (".a", .badHost(".a")), ("a..b", .badHost("a..b")),
        ("a...", .badHost("a...")), ("-a", .badHost("-a")), ("a-.b", .badHost("a-.b")), ("--help", .badHost("--help")),
        ("a,b", .badHost("a,b")), ("a*b", .badHost("a*b")), ("a%41", .badHost("a%41")), ("a\\b", .badHost("a\\b")),
        ("a?b", .badHost("a?b")), ("a#b", .badHost("a#b")), ("$(id)", .badHost("$(id)")), ("a;b", .badHost("a;b")),
        (String(repeating: "a", count: 64), .badHost(String(repeating: "a", count: 64))),
        // Users
        ("user@host", .userInfo), ("user:pass@host", .userInfo), ("http://user:pass@host/bin", .userInfo),
        ("http://@host", .userInfo), ("http://1.2.3.4:80@evil", .userInfo), ("[::1]@evil", .userInfo),
        // Ports
        ("a:", .badPort("")), ("a:0", .badPort("0")), ("a:65536", .badPort("65536")), ("a:+1", .badPort("+1")),
        ("a:-1", .badPort("-1")), ("a:0x50", .badPort("0x50")), ("a:80a", .badPort("80a")),
        ("a:http", .badPort("http")),
        ("a:99999999999999999999", .badPort("99999999999999999999")), ("[::1]:", .badPort("")),
        ("[::1]:0", .badPort("0")), ("http://a:/bin", .badPort("")), ("http://a:0/bin", .badPort("0")),
        ("javascript:alert", .badPort("alert")), (":80", .badHost("")),
        // Brackets and zones
        ("[", .badHost("[")), ("[::1", .badHost("[::1")), ("[]", .badHost("[]")), ("[]:80", .badHost("[]:80")),
        ("[1.2.3.4]", .badHost("[1.2.3.4]")), ("[a]", .badHost("[a]")), ("[::1]80", .badHost("[::1]80")),
        ("[::1]]", .badHost("[::1]]")), ("[[::1]]", .badHost("[[::1]]")), ("::1]", .badHost("::1]")),
        ("a:b:c", .badHost("a:b:c")), ("1.2.3.4:80:80", .badHost("1.2.3.4:80:80")), (":::", .badHost(":::")),
        ("[::g]", .badHost("::g")), ("[v1.a:b]", .badHost("v1.a:b")),
        ("fe80::1", .missingZone("fe80::1")), ("[febf::1]:80", .missingZone("febf::1")),
        ("fe80::1%", .badHost("fe80::1%")), ("fe80::1%a%b", .badHost("fe80::1%a%b")),
        ("[fe80::1%eth0;id]", .badHost("fe80::1%eth0;id")),
        ("fe80::1%0123456789abcdef", .badHost("fe80::1%0123456789abcdef")),
        ("::1%lo", .badHost("::1%lo")), ("[2001:db8::1%eth0]", .badHost("2001:db8::1%eth0")),
        ("1.2.3.4%eth0", .badHost("1.2.3.4%eth0")),
        // Schemes and paths
        ("//a", .missingScheme), ("/bin", .missingScheme), ("a/bin", .missingScheme), ("http:/a", .missingScheme),
        ("1.2.3.4/8", .missingScheme), ("ftp://a", .badScheme("ftp")), ("://a", .badScheme("")),
        ("http+unix://a", .badScheme("http+unix")), ("file:///etc/passwd", .badScheme("file")),
        ("http://", .badHost("")), ("http:///bin", .badHost("")), ("http://:80", .badHost("")),
        ("http://a?b", .badPath("?b")), ("http://a#b", .badPath("#b")), ("http://a/b?c", .badPath("/b?c")),
        ("http://a/b#c", .badPath("/b#c")), ("http://a:80?c", .badPath("?c")), ("http://http://a", .badPort("")),
        ("http://a/" + String(repeating: "b", count: 1_024), .badPath("/" + String(repeating: "b", count: 1_024))),
        (String(repeating: "a", count: 2_049), .tooLong(limit: 2_048)),
    ]

    @Test("invalid addresses are refused with a reason", arguments: nonsense)
    func refused(text: String, error: ServerURLError) {
        #expect(throws: error) { try ServerURL(completing: text) }
    }

    @Test("a name may have 253 bytes and its labels 63")
    func longestName() throws {
        let label = String(repeating: "a", count: 63)
        let longest = "\(label).\(label).\(label).\(label.prefix(61))"
        #expect(try ServerURL(completing: longest).host == .name(longest))
        #expect(throws: ServerURLError.badHost(longest + "a")) { try ServerURL(completing: longest + "a") }
        #expect(throws: ServerURLError.badHost(".a")) { try ServerHost(parsing: ".a") }
    }

    @Test(
        "letters outside ASCII do not become ASCII",
        arguments: ["\u{212A}iosk.local", "İ.local", "ſ.local"]
    )
    func lookalikes(name: String) {
        #expect(throws: ServerURLError.badHost(name)) { try ServerHost(parsing: name) }
    }

    @Test("10,000 random texts are refused or survive printing and parsing")
    func roundTrip() throws {
        let pieces = [
            "http://", "https://", "HTTP://", "[", "]", ":", "::", "1", "10.0.0.1", "fe80", "ffff", "%", "eth0", "a",
            "B-c",
            ".", "-", "_", "/", "/bin", "7099", "0", "@", "?", "#", " ", "é",
        ]
        var random = SeededRandom(seed: 2)
        var read = 0
        for _ in 0..<10_000 {
            let count = Int.random(in: 1...6, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let url = try? ServerURL(completing: text) else { continue }
            read += 1
            #expect(try ServerURL(completing: "\(url)") == url, "\(text)")
        }
        #expect(read > 500, "of 10,000 texts only \(read) were addresses")
    }
}
