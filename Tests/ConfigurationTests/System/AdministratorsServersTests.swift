// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@Suite(
    "The administrator's server files",
    .enabled(if: Requirement.allMet([.root]), "needs root, whose the files are")
)
struct AdministratorsServersTests {
    private let directory = TemporaryDirectory()

    /// The pin of plain HTTP at 10.0.0.7 port 7099: strength, address, port (docs/vault-format.md).
    private static func plainPin() throws -> String {
        HexText.encode(SHA256.digest(of: [1, 4, 0, 10, 0, 0, 7, 2, 0, 0xBB, 0x1B]))
    }

    private func write(_ text: String, to name: String, mode: mode_t = 0o644) {
        directory.write(Array(text.utf8), to: name, mode: mode)
    }

    private var read: AdministratorsServers { AdministratorsServers(directory: directory.path) }

    @Test("all keys are read, and missing keys have defaults")
    func keys() throws {
        let digits = String(repeating: "ab", count: 32)
        write(
            """
            name = "Head office"
            url = "https://srv.example.org:7443/bin"
            pin = "sha256:\(digits)"
            data_service = "MyData"
            login_service = "MyLogin"
            domain = "DASamples"
            schema = "PCTrade"
            """,
            to: "b.toml"
        )
        write("url = \"10.0.0.7\"\nallow_plaintext = true\n", to: "a.toml")
        write("url = \"10.0.0.8\"", to: "c.toml")
        let read = read
        #expect(read.problems.isEmpty, "\(read.problems)")
        #expect(read.servers.map(\.name) == ["a", "Head office", "c"])
        let office = try #require(read.servers.first { $0.name == "Head office" })
        #expect(office.url.description == "https://srv.example.org:7443/bin")
        #expect(office.fingerprint == [UInt8](repeating: 0xAB, count: 32))
        #expect(!office.allowsPlaintext)
        #expect(office.path == directory.path(of: "b.toml"))
        #expect(
            [office.dataService, office.loginService, office.domain, office.schema] == [
                "MyData", "MyLogin", "DASamples", "PCTrade",
            ]
        )
        let plain = try #require(read.servers.first)
        #expect(plain.allowsPlaintext)
        #expect(plain.fingerprint.map(HexText.encode) == (try Self.plainPin()))
        #expect(read.servers.last?.fingerprint == nil)
    }

    @Test("a text may contain any characters, a name only printable ones")
    func characters() {
        write("url = \"10.0.0.7\"\nname = \"Lager Süd\"", to: "a.toml")
        write("url = \"10.0.0.8\"\nname = \"a\\u001Bb\"", to: "b.toml")
        let read = read
        #expect(read.servers.map(\.name) == ["Lager Süd"])
        #expect(read.problems.count == 1 && "\(read.problems[0])".contains("the name is not"), "\(read.problems)")
    }

    @Test("the pin ca becomes the fingerprint of an authority's pin for the URL's host")
    func authority() throws {
        write("url = \"https://Srv.example.org:7443/bin\"\npin = \"ca\"", to: "a.toml")
        write("url = \"https://10.0.0.7/bin\"\npin = \"ca\"", to: "b.toml")
        let expected = ["srv.example.org", "10.0.0.7"].map { host in
            SHA256.digest(of: Pin.authority(host: host).canonicalRecord)
        }
        #expect(read.problems.isEmpty && read.servers.map(\.fingerprint) == expected)
    }

    @Test("a file of the vendor gives name, address, domain and schema, but no pin")
    func vendor() throws {
        write(
            """
            <RelativityClient><Server><Name>Lager Süd</Name><ServerUri>http://10.0.0.9:7099/bin</ServerUri></Server>
            <Domain>D</Domain><Schema>S</Schema></RelativityClient>
            """,
            to: "south.relativityClient"
        )
        write("<RelativityClient><Server><Name>x</Name></Server></RelativityClient>", to: "name.relativityClient")
        let uri = "<Server><ServerUri>http://10.0.0.8:7099/bin</ServerUri></Server>"
        write("<RemoteRODL>\(uri)</RemoteRODL>", to: "west.remoteRODL")
        let read = read
        let server = try #require(read.servers.first)
        #expect(server.name == "Lager Süd" && server.domain == "D" && server.schema == "S")
        #expect(server.fingerprint == nil && !server.allowsPlaintext)
        #expect(read.servers.dropFirst().map(\.name) == ["west"] && read.servers.last?.domain == nil)
        #expect(read.problems.count == 1 && "\(read.problems[0])".contains("no Server/ServerUri"), "\(read.problems)")
    }

    @Test(
        "an invalid file is reported with the reason and does not affect others",
        arguments: [
            ("", "there is no 'url'"), ("url = 7", "'url' must be a text, not 7"),
            ("url = \"0.0.0.0\"", "not the address of a single host"),
            ("url = \"10.0.0.7\"\ncolour = 1", "no key 'colour'"), ("url = \"10.0.0.7", "not valid TOML"),
            ("url = \"10.0.0.7\"\npin = \"abc\"", "'pin' must be 64 hexadecimal digits"),
            ("url = \"10.0.0.7\"\npin = \"\(String(repeating: "0", count: 64))\"", "not the fingerprint of plain HTTP"),
            ("url = \"http://srv/bin\"\npin = \"ca\"", "for https to a host name"),
            ("url = \"http://srv/bin\"\nallow_plaintext = true", "at an address, not at a name"),
            ("url = \"https://srv/bin\"\nallow_plaintext = true", "for plain HTTP only"),
            ("url = \"10.0.0.7\"\nname = \"-x\"", "the name is not"),
            ("url = \"10.0.0.7\"\ndata_service = \"a b\"", "'data_service' must be"),
            ("url = \"10.0.0.7\"\ndomain = \"\"", "'domain' must be"),
            ("#" + String(repeating: "x", count: 65_536), "larger than 65536 bytes"),
            ("url = \"10.0.0.1\"", "has the same server"),
        ]
    )
    func faults(text: String, reason: String) {
        write("url = \"10.0.0.1\"", to: "a.toml")
        write(text, to: "b.toml")
        write("url = \"10.0.0.2\"", to: "c.toml")
        let read = read
        #expect(read.servers.map(\.name) == ["a", "c"])
        #expect(read.problems.count == 1)
        #expect("\(read.problems)".contains(reason), "\(read.problems)")
        #expect("\(read.problems)".contains(directory.path(of: "b.toml")))
    }

    @Test("files that users other than root could have written are rejected with a command that fixes it")
    func ownership() {
        write("url = \"10.0.0.1\"", to: "good.toml")
        write("url = \"10.0.0.2\"", to: "group.toml", mode: 0o664)
        write("url = \"10.0.0.3\"", to: "world.toml", mode: 0o646)
        write("url = \"10.0.0.4\"", to: "user.toml")
        chown(directory.path(of: "user.toml"), 1_234, 0)
        mkdir(directory.path(of: "folder.toml"), 0o755)
        mkfifo(directory.path(of: "pipe.toml"), 0o644)
        symlink("user.toml", directory.path(of: "link.toml"))
        symlink("good.toml", directory.path(of: "zlink.toml"))
        let read = read
        #expect(read.servers.map(\.name) == ["good"])
        func problem(_ name: String) -> String { read.problems.map { "\($0)" }.first { $0.contains("/\(name)") } ?? "" }
        #expect(problem("group.toml").contains("try: sudo chmod go-w '\(directory.path(of: "group.toml"))'"))
        #expect(problem("world.toml").contains("sudo chmod go-w"))
        #expect(problem("user.toml").contains("try: sudo chown root:root '\(directory.path(of: "user.toml"))'"))
        #expect(problem("link.toml").contains("belongs to user 1234"))
        #expect(problem("folder.toml").contains("is not a regular file"))
        #expect(problem("pipe.toml").contains("is not a regular file"))
        #expect(problem("zlink.toml").contains("has the same server"))
        #expect(read.problems.count == 7, "\(read.problems)")
    }

    @Test("a directory that others own or may write to is rejected, and a missing directory counts as empty")
    func directories() {
        write("url = \"10.0.0.1\"", to: "a.toml")
        chmod(directory.path, 0o777)
        #expect(read.servers.isEmpty && read.problems.count == 1 && "\(read.problems[0])".contains("sudo chmod go-w"))
        chmod(directory.path, 0o755)
        #expect(read.servers.count == 1 && read.problems.isEmpty)
        chown(directory.path, 1_234, 0)
        #expect(
            read.servers.isEmpty && read.problems.count == 1 && "\(read.problems[0])".contains("sudo chown root:root")
        )
        chown(directory.path, 0, 0)
        let missing = AdministratorsServers(directory: directory.path(of: "missing"))
        #expect(missing.servers.isEmpty && missing.problems.isEmpty)
    }

    @Test("of too many files the first 256 are read")
    func count() {
        for number in 0..<260 { write("url = \"10.1.\(number / 250).\(number % 250)\"", to: "\(1_000 + number).toml") }
        let read = read
        #expect(read.servers.count == 256)
        #expect(
            read.problems.count == 1 && read.problems[0] == .tooManyFiles(path: directory.path, count: 260, limit: 256)
        )
    }

    @Test("a file or directory that cannot be read keeps its last content, and a deleted one is removed")
    func unreadable() throws {
        write("url = \"10.0.0.1\"", to: "a.toml")
        write("url = \"10.0.0.2\"", to: "b.toml")
        let good = read
        unlink(directory.path(of: "a.toml"))
        unlink(directory.path(of: "b.toml"))
        symlink("b.toml", directory.path(of: "b.toml"))
        let looped = AdministratorsServers(directory: directory.path, after: good)
        #expect(looped.servers.map(\.name) == ["b"])
        #expect(looped.problems.count == 1)
        guard case .file(let path, isKept: true, let reason)? = looped.problems.first else {
            throw NotInTime(seconds: 0)
        }
        #expect(path == directory.path(of: "b.toml") && reason.hasPrefix("open failed"))
        #expect(AdministratorsServers(directory: directory.path).servers.isEmpty)

        let file = directory.path(of: "file")
        write("", to: "file")
        let noDirectory = AdministratorsServers(directory: file, after: good)
        #expect(noDirectory.servers == good.servers)
        guard case .directory(file, isKept: true, _)? = noDirectory.problems.first else { throw NotInTime(seconds: 0) }
        let gone = AdministratorsServers(directory: directory.path(of: "missing"), after: good)
        #expect(gone.servers.isEmpty && gone.problems.isEmpty)
    }

    @Test("a missing directory is an error if it was given explicitly")
    func named() {
        let missing = AdministratorsServers(directory: directory.path(of: "missing"), isNamed: true)
        #expect(missing.servers.isEmpty)
        #expect(missing.problems == [.noDirectory(path: directory.path(of: "missing"))])
    }
}
