// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Configured logins")
struct ConfiguredLoginTests {
    private let fixture: StoreFixture
    private static let key = String(repeating: "ab", count: 32)
    private static let tls = [
        "# The office", "", "url=https://10.0.0.5:8099", "user=Data", "domain=D", "schema=S", "pin=\(key)",
        "password=p=ss wörd ",
    ]

    init() throws {
        fixture = try StoreFixture()
        mkdir(fixture.temporary.path(of: "c"), 0o700)
    }

    private func write(_ lines: [String], to name: String = "office", mode: mode_t = 0o400, end: String = "\n") {
        let bytes = Array((lines.joined(separator: "\n") + end).utf8)
        fixture.temporary.write(bytes, to: "c/relativityd.login.\(name)", mode: mode)
    }

    private func load() -> ConfiguredLogins {
        ConfiguredLogins(directory: fixture.temporary.path(of: "c"), now: 7) { url in
            EndpointID("at-\(url.port)") ?? Self.nowhere
        }
    }

    private static let nowhere: EndpointID = {
        guard let id = EndpointID("nowhere") else { preconditionFailure("plain letters") }
        return id
    }()

    private func password(of login: Login, in logins: ConfiguredLogins) throws -> String {
        try logins.withPassword(of: login.id, pin: login.pin) { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a file yields a login, its server, and the exact password", arguments: ["\n", ""])
    func taken(end: String) throws {
        write(Self.tls, end: end)
        let logins = load()
        #expect(logins.problems == [])
        let login = try #require(logins.logins.first)
        #expect(login.name == "office" && login.origin == .configured && login.created == 7)
        #expect((login.account.user, login.account.domain, login.account.schema) == ("Data", "D", "S"))
        #expect(login.pin == .tls(spkiSHA256: [UInt8](repeating: 0xAB, count: 32)))
        #expect(logins.servers.map(\.id) == [login.endpoint])
        #expect(logins.servers.first?.url.description.hasPrefix("https://10.0.0.5:8099/") == true)
        #expect(try password(of: login, in: logins) == "p=ss wörd ")
        #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try logins.withPassword(of: login.id, pin: .tls(spkiSHA256: [])) { _ in }
        }
    }

    @Test(
        "ca, or the fingerprint that represents it, leaves the server's identity to the authorities for the URL's host"
    )
    func authority() throws {
        let pin = Pin.authority(host: "srv.example")
        let digits = HexText.encode(SHA256.digest(of: pin.canonicalRecord))
        for (name, text) in [("a", "ca"), ("b", digits)] {
            write(["url=https://srv.example:7099", "user=u", "pin=\(text)", "password=p"], to: name)
        }
        write(["url=https://[fe80::1%eth0]", "user=u", "pin=ca", "password=p"], to: "c")
        write(["url=http://10.0.0.5", "user=u", "pin=ca", "allow_plaintext=yes", "password=p"], to: "d")
        let logins = load()
        #expect(logins.logins.map(\.pin) == [pin, pin])
        #expect(logins.problems.count == 2 && "\(logins.problems[0])".contains("link-local"))
    }

    @Test("user_key and extra become part of the login, and an invalid one is a fault without its value")
    func extraKeys() throws {
        var lines = Self.tls
        lines.insert(contentsOf: ["user_key=User", "extra=Level=a=b", "extra=Site=Köln"], at: 3)
        write(lines)
        let login = try #require(load().logins.first)
        #expect(login.account.userKey == .user)
        #expect(
            login.account.extras == [LoginExtra(key: "Level", value: "a=b"), LoginExtra(key: "Site", value: "Köln")]
        )
        for bad in ["user_key=Canary", "extra=Canary", "extra=Canary=", "extra=password=Canary", "extra=Site=x"] {
            var faulty = lines
            faulty.insert(bad, at: 3)
            write(faulty, to: "faulty")
            let logins = load()
            #expect(logins.logins.count == 1 && logins.problems.count == 1, "\(bad)")
            #expect(logins.problems.allSatisfy { !"\($0)".contains("Canary") }, "\(logins.problems)")
        }
    }

    /// The fingerprint that a file must have for plain HTTP at an address.
    private static func fingerprint(_ address: [UInt8], port: UInt16) throws -> String {
        let pin = Pin.plain(try #require(IPAddress(bytes: address)), port: port)
        return HexText.encode(SHA256.digest(of: pin.canonicalRecord))
    }

    @Test("plain HTTP is pinned to the address, and needs permission and the network ID for another machine")
    func plain() throws {
        let local = try Self.fingerprint([127, 0, 0, 1], port: 7099)
        write(
            ["url=http://127.0.0.1:7099/bin", "user=u", "pin=\(local)", "allow_plaintext=yes", "password=p"],
            to: "a-loopback"
        )
        let remote = try Self.fingerprint([10, 0, 0, 5], port: 7099)
        let lines = ["url=10.0.0.5", "user=u", "pin=\(remote)", "allow_plaintext=yes"]
        write(lines + ["password=p"], to: "b-remote")
        write(lines + ["network=\(Self.key)", "password=p"], to: "c-remote")
        let logins = load()
        #expect(logins.problems == [])
        #expect(logins.logins.map(\.pin.strength) == [.loopback, .address, .address])
        #expect(logins.logins.map(\.pinned.allowsPlaintext) == [true, true, true])
        #expect(logins.logins.map { $0.pinned.networkID?.count } == [nil, nil, 32])
        // Two logins with one URL have one server, which has the name of the first.
        #expect(Set(logins.logins.map(\.endpoint)).count == 1)
        #expect(logins.servers.map(\.name) == ["a-loopback"])
    }

    /// A change of the lines above, and the resulting problem.
    static let faults: [(change: @Sendable ([String]) -> [String], problem: String)] = [
        ({ $0.dropLast() }, "there is no password= line"),
        ({ $0.filter { !$0.hasPrefix("user") } }, "there is no user= line"),
        ({ $0.filter { !$0.hasPrefix("url") } }, "there is no url= line"),
        ({ $0.filter { !$0.hasPrefix("pin") } }, "there is no pin= line"),
        ({ ["user=x"] + $0 }, "line 5: user occurs twice"),
        ({ ["colour=blue"] + $0 }, "line 1: there is no such key"),
        ({ [" user=x"] + $0 }, "line 1: there is no such key"),
        ({ ["hunter2"] + $0 }, "line 1: this is not key=value"),
        ({ ["domain="] + $0 }, "line 1: domain has no value"),
        ({ $0.dropLast() + ["password="] }, "line 8: password has no value"),
        ({ $0 + ["# after"] }, "line 8: password has to be the last line"),
        ({ $0 + [""] }, "line 8: password has to be the last line"),
        ({ ["user=a\r"] + $0 }, "line 1: there is a control character"),
        ({ $0.dropLast() + ["password=a\tb"] }, "line 8: there is a control character"),
        ({ $0.dropLast() + ["password=" + String(repeating: "x", count: 1025)] }, "line 8: password is too long"),
        ({ ["domain=" + String(repeating: "x", count: 1025)] + $0 }, "line 1: domain is too long"),
        ({ ["#" + String(repeating: "x", count: 2000)] + $0 }, "line 1: the line is too long"),
        ({ [String](repeating: "#", count: 64) + $0 }, "line 65: there are more than 64 lines"),
        ({ [String](repeating: String(repeating: "#", count: 1000), count: 20) + $0 }, "16384 bytes"),
        ({ $0.map { $0.hasPrefix("pin") ? "pin=abc" : $0 } }, "line 7: this is not 64 hexadecimal digits"),
        ({ $0.map { $0.hasPrefix("url") ? "url=ftp://x" : $0 } }, "line 3: "),
        ({ $0.map { $0.hasPrefix("url") ? "url=http://host:1/" : $0 } }, "an address, not to a name"),
        ({ $0.map { $0.hasPrefix("url") ? "url=http://10.0.0.5:1/" : $0 } }, "line 7: this is not the fingerprint of"),
        ({ ["allow_plaintext=yes"] + $0 }, "line 1: allow_plaintext is for plain HTTP only"),
        ({ ["allow_plaintext=1"] + $0 }, "line 1: allow_plaintext must be yes or no"),
        ({ ["password_command=pass show x"] + $0.dropLast() }, "line 1: password_command is not an array of texts"),
        ({ ["password_command=[\"pass\", 1]"] + $0.dropLast() }, "line 1: password_command is not an array of texts"),
        ({ ["password_command=[\"bin/pass\"]"] + $0.dropLast() }, "line 1: password_command is not an array of"),
        ({ ["password_command=[\"pass\"]"] + $0 }, "line 9: password is for files without a command"),
        ({ ["network=\(key)"] + $0 }, "line 1: network is for plain HTTP to another machine only"),
    ]

    @Test("every fault names file and line, quotes no value, and affects no other file", arguments: faults.indices)
    func faulty(_ index: Int) throws {
        let (change, problem) = Self.faults[index]
        write(change(Self.tls), to: "bad")
        write(Self.tls, to: "good")
        let logins = load()
        #expect(logins.logins.map(\.name) == ["good"])
        let told = "\(try #require(logins.problems.first))"
        #expect(told.contains("relativityd.login.bad") && told.contains(problem), "\(told)")
        #expect(!told.contains("wörd") && !told.contains("hunter2") && logins.problems.count == 1)
    }

    @Test("plain HTTP to another machine without permission, and text that is not UTF-8, are faults")
    func otherFaults() throws {
        let remote = try Self.fingerprint([10, 0, 0, 5], port: 7099)
        write(["url=10.0.0.5", "user=u", "pin=\(remote)", "password=p"], to: "a")
        fixture.temporary.write([0x75, 0x72, 0x6C, 0x3D, 0xFF, 0x0A], to: "c/relativityd.login.b", mode: 0o400)
        let problems = load().problems
        #expect(problems.count == 2)
        #expect(problems.first.map { "\($0)".contains("plain HTTP needs allow_plaintext=yes") } == true)
        #expect(problems.last.map { "\($0)".contains("line 1: this is not UTF-8") } == true)
    }

    @Test("files open to others, links, directories, and files with unusual names are refused; others are ignored")
    func files() {
        write(Self.tls, to: "open", mode: 0o444)
        write(Self.tls, to: "odd name")
        write(Self.tls, to: "")
        write(Self.tls, to: String(repeating: "n", count: 64))
        let path = fixture.temporary.path(of: "c/relativityd.login.")
        symlink(path + "good", path + "link")
        mkdir(path + "directory", 0o700)
        mkfifo(path + "pipe", 0o600)
        fixture.temporary.write([], to: "c/relativityd.vault-key")
        write(Self.tls, to: "good")
        let logins = load()
        #expect(logins.logins.map(\.name) == ["good"])
        #expect(logins.problems.count == 7, "\(logins.problems)")
        for index in 0..<70 { write(Self.tls, to: "many-\(index)") }
        #expect(load().logins.count <= 64)
        #expect(load().problems.contains { if case .tooManyFiles(_, limit: 64) = $0 { true } else { false } })
    }

    @Test("without a directory there are no logins")
    func none() {
        for directory in [nil, "", "relative", "/nowhere"] {
            let logins = ConfiguredLogins(directory: directory, now: 0) { _ in Self.nowhere }
            #expect(logins.logins.isEmpty && logins.problems.isEmpty)
        }
    }

    @Test("a file with a command yields the command, for the pinned server only")
    func command() throws {
        let lines = Array(Self.tls.dropLast())
        write(lines + ["password_command=[\"pass\", \"show\", \"a b\"]"])
        let logins = load()
        let login = try #require(logins.logins.first)
        #expect(logins.problems.isEmpty)
        #expect(try logins.command(of: login.id, pin: login.pin) == SecretCommand(["pass", "show", "a b"]))
        #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try logins.command(of: login.id, pin: .tls(spkiSHA256: []))
        }
        write(lines + ["password_command=[\"evil\"]"])
        #expect(throws: CredentialError.self) { try logins.command(of: login.id, pin: login.pin) }
        write(Self.tls)
        let plain = load()
        #expect(try plain.command(of: login.id, pin: login.pin) == nil)
    }

    @Test("a file that was changed or removed since the start yields no password")
    func changed() throws {
        write(Self.tls)
        let logins = load()
        let login = try #require(logins.logins.first)
        write(Self.tls.dropLast() + ["password=new"])
        #expect(try password(of: login, in: logins) == "new")
        write(["domain=Other"] + Self.tls.filter { !$0.hasPrefix("domain") })
        func isLost() -> Bool {
            do {
                _ = try password(of: login, in: logins)
                return false
            } catch CredentialError.configuredLoginLost("office", _) {
                return true
            } catch {
                return false
            }
        }
        #expect(isLost())
        unlink(fixture.temporary.path(of: "c/relativityd.login.office"))
        #expect(isLost())
    }

    @Test("20,000 damaged files are accepted or refused without a crash")
    func fuzz() throws {
        var random = SeededRandom(seed: 11)
        let whole = Array(Self.tls.joined(separator: "\n").utf8)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(UInt8(ascii: "\n"), at: index)
                default: bytes.replaceSubrange(index..<index, with: bytes[index...].prefix(40))
                }
            }
            bytes.withUnsafeBytes { bytes in
                guard let text = try? ConfiguredLoginText(parsing: bytes),
                    let login = try? ConfiguredLogin(text, { _ in Self.nowhere })
                else {
                    return
                }
                taken += 1
                #expect(!bytes[text.password].isEmpty && !login.account.user.isEmpty)
                #expect(bytes[text.password].allSatisfy { $0 >= 0x20 })
            }
        }
        #expect((1..<20_000).contains(taken))
    }
}
