// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import TestSupport
import Testing

/// The daemon on host 1, a valid server on host 2, and an attacker on host 3.
@Suite(
    "An attacker on the link",
    .enabled(if: Requirement.allMet([.root, .avahi, .program("python3")]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(3))
)
struct HostileNetworkTests {
    @Test("broken names, records and packets affect no other server")
    func records() async throws {
        try await LAN.with(.hosts(3), bare: [3]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let server = try await deployment.startServer(["--lan", "--name", "good"], port: 7_099)
            let enemy = try lan.start(
                on: 3,
                ["python3", Sources.root + "/Tests/Tools/hostile_mdns.py", "10.77.0.3", "records"]
            )
            try await awaitListed("good", deployment)
            try await awaitListed("tame", deployment)

            // The attacker continues meanwhile, so both lists are read until no change has come in between.
            var list: [JSONObject] = []
            var shown = ""
            try await eventually {
                list = try #require(try await deployment.json("list").arrayValue).compactMap(\.objectValue)
                shown = try await deployment.success("list")
                return shown.split(separator: "\n").count == list.count + 1
            }
            let good = try #require(try list.first { try $0.string("name") == "good" })
            #expect(try good.string("url") == "http://h2.local:7099/bin")
            #expect(try good.string("state") == "announced")
            #expect(try good.strings("addresses").contains("10.77.0.2"))
            for endpoint in list {
                #expect(try endpoint.integer("port") != 0)
                // The shown address is at most one of the attacker, and imitates no other.
                let url = try ServerURL(completing: endpoint.string("url"))
                if case .address(let address, _) = url.host {
                    #expect(try endpoint.strings("addresses").contains("\(address)"), "\(endpoint)")
                }
                shown += try await deployment.success("show", endpoint.string("id"))
            }
            let raw = shown.unicodeScalars.filter { scalar in
                scalar != "\n"
                    && (scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format)
            }
            #expect(raw.isEmpty, "\(raw.map(\.value))")
            let bad = try list.count { try $0.string("name").hasPrefix("bad") }
            print("of the enemy's announcements \(bad) are listed, each as itself")
            #expect(bad >= 10)
            // Avahi and the daemon still run, and receive new announcements.
            try await server.program.end()
            let again = try await deployment.startServer(["--lan", "--name", "later"], port: 7_098)
            try await awaitListed("later", deployment)
            #expect(try await deployment.relctl("version").status == 0)
            try await again.program.end()
            enemy.closeInput()
            _ = enemy.wait()
        }
    }

    @Test("no spelling of a forbidden address causes a connection")
    func addresses() async throws {
        try await LAN.with(.hosts(2), bare: [2]) { lan in
            let deployment = Deployment(on: lan)
            // All traffic of host 1 arrives at host 2, which answers for every address.
            let link = try await lan.command(
                on: 2,
                ["ip", "-6", "-o", "address", "show", "dev", "eth0", "scope", "link"]
            )
            .succeed().split(separator: " ").first { $0.hasPrefix("fe80:") }
            let router = try #require(link).prefix { $0 != "/" }
            // Input from the wire is local, whatever its address. Output is sent to the wire first.
            for family in ["-4", "-6"] {
                for arguments in [
                    ["rule", "add", "pref", "1", "iif", "eth0", "lookup", "local"],
                    ["rule", "add", "pref", "2", "lookup", "main"], ["rule", "add", "pref", "3", "lookup", "local"],
                    ["rule", "del", "pref", "0"], ["route", "add", "local", "default", "dev", "lo", "table", "local"],
                ] {
                    try await lan.command(on: 2, ["ip", family] + arguments).succeed()
                }
            }
            try await lan.command(on: 1, ["ip", "route", "add", "default", "via", "10.77.0.2"]).succeed()
            try await lan.command(on: 1, ["ip", "-6", "route", "add", "default", "via", "\(router)", "dev", "eth0"])
                .succeed()
            let counters = try [1, 2].map { host in
                try Supervised(
                    ["python3", Sources.root + "/Tests/Tools/count_connects.py", "80", "443", "7099"],
                    environment: deployment.environment,
                    log: deployment.home.path(of: "connects.\(host)"),
                    on: (lan, host)
                )
            }
            try await eventually { counters.allSatisfy { $0.output.hasPrefix("ready") } }
            func connects() -> [Substring] {
                counters.flatMap { $0.output.split(separator: "\n").filter { $0.hasPrefix("connect") } }
            }
            let daemon = try await deployment.startDaemon()

            let announced = try await announce(deployment, lan)
            let typed = try await type(deployment)
            #expect(connects().isEmpty, "\(connects())")
            print("\(announced) announced and \(typed) typed forms: \(connects().count) connections")
            #expect(announced >= 60 && typed >= 60)

            // The counters work: they count the expected connections of the daemon, and any other.
            try await deployment.success("add", "control", "https://10.77.0.2:443/bin")
            _ = try await deployment.relctl("show", "control")
            try await eventually { connects().contains("connect 10.77.0.2 443") }
            for address in Self.reachable {
                let connect = "import socket; socket.create_connection((\"\(address)\", 80), 5)"
                try await lan.command(on: 1, ["python3", "-c", connect]).succeed()
                try await eventually { connects().contains("connect \(address) 80") }
            }
            try await daemon.end()
            for counter in counters { try await counter.end() }
        }
    }

    /// - Returns: the number of announced forms, none of which may be in the list.
    private func announce(_ deployment: Deployment, _ lan: LAN) async throws -> Int {
        let enemy = try lan.start(
            on: 2,
            ["python3", Sources.root + "/Tests/Tools/hostile_mdns.py", "10.77.0.2", "addresses"]
        )
        var count = 0
        for form in AddressForm.all + Self.ofTheLink {
            // As the address itself, and as the name of a host without one.
            if IPAddress(form.text) != nil {
                enemy.write("\(count) - \(form.text)\n")
                count += 1
            }
            if form.text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), form.text.utf8.count < 64 {
                enemy.write("\(count) \(form.text) -\n")
                count += 1
            }
        }
        enemy.write("\n")
        try await awaitListed("tame", deployment)
        // Two more rounds, because a repetition of a refused announcement must not be accepted.
        var seen = ""
        try await eventually {
            seen += String(decoding: enemy.readOutput(), as: UTF8.self)
            return seen.split(separator: "\n").count >= 3
        }
        let list = try #require(try await deployment.json("list").arrayValue).compactMap(\.objectValue)
        #expect(try list.map { try $0.string("name") } == ["tame"])
        for number in 0..<count where number % 10 == 0 {
            #expect(
                try await deployment.relctl("adapter", "open", "form \(number)", "--anonymous", "--ttl", "60").status
                    == 11
            )
        }
        enemy.closeInput()
        _ = enemy.wait()
        return count
    }

    /// - Returns: the number of forms that a user or a file of the vendor tried in vain.
    private func type(_ deployment: Deployment) async throws -> Int {
        var count = 0
        for form in AddressForm.all
        where form.typed == .refused && form.text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            let host = form.text.contains(":") ? "[\(form.text)]" : form.text
            let added = try await deployment.relctl("add", "typed", "https://\(host):443/bin")
            #expect(added.status == 64, "\(form): \(added)")
            let file =
                "<RelativityClient><Server><ServerUri>https://\(host):443/bin</ServerUri></Server></RelativityClient>"
            let imported = try await deployment.relctl("endpoint", "import", "-", "--name", "typed", input: file)
            #expect(imported.status == 64, "\(form): \(imported)")
            count += 1
        }
        return count
    }

    /// Forbidden addresses that a program on host 1 can reach.
    private static let reachable = [
        "127.0.0.1", "::1", "169.254.169.254", "8.8.8.8", "10.78.0.1", "fd00:ec2::254", "2002:a9fe:a9fe::1",
        "64:ff9b::a9fe:a9fe",
    ]

    /// The network of the link itself, broadcast addresses, and addresses beyond it.
    private static let ofTheLink = [
        "10.77.0.255", "10.77.0.0", "8.8.8.8", "10.78.0.1", "192.168.0.1", "2001:db8::1", "fd00::1",
    ]
    .map { AddressForm(text: $0, typed: .refused) }

    private func awaitListed(_ name: String, _ deployment: Deployment) async throws {
        try await eventually {
            try await deployment.json("list").arrayValue?.contains { try $0.objectValue?.string("name") == name }
                ?? false
        }
    }
}
