// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Locks
import NIOCore
import NIOSSL
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// One run: an honest server with a random login, a rogue that records, and the daemon's modules.
final class RogueWorld: Sendable {
    /// Certificates that are made once for all runs.
    struct Certificates: Sendable {
        let honest: TestCertificate
        let honestExpired: NIOSSLContext
        let other: TestCertificate
        let otherExpired: NIOSSLContext
        /// The file of the authorities that are trusted to verify servers.
        let authorityFile: String
        let vouchedFor: NIOSSLContext
        let otherAuthority: NIOSSLContext
        let otherHost: NIOSSLContext
    }

    private struct State {
        var network = [UInt8](repeating: 1, count: 32)
        var honest: ScriptedServer?
        var rogues: [ScriptedServer] = []
        var adapters: [Adapter] = []
        var logins = 0
    }

    static let name = "office"
    /// The host name of the honest server's certificate, if its login is bound to a host name.
    static let host = "office.example"
    let scenario: RogueScenario
    let strength: PinStrength
    let lure: RogueScenario.Lure?
    let fixture: BrokerFixture
    let certificates: Certificates
    /// Parts of the login. The user name is the same in every quoting.
    let user: String
    let password: String
    let domain: String
    let schema: String
    let honestAddress: IPAddress
    let rogueAddress: IPAddress
    let port: UInt16
    let endpointID: EndpointID
    private let state: StateBox

    private final class StateBox: Sendable {
        let value = Lock(State())
    }

    /// - Parameter index: the number of the run, which has its own addresses.
    init(_ scenario: RogueScenario, index: Int, certificates: Certificates, random: inout SeededRandom) async throws {
        self.scenario = scenario
        self.certificates = certificates
        strength = scenario.strengths[Int.random(in: 0..<scenario.strengths.count, using: &random)]
        lure = scenario.lures.randomElement(using: &random)
        let box = StateBox()
        state = box
        fixture = try await BrokerFixture(
            network: { _ in box.value.withLock { $0.network } },
            authorityFile: certificates.authorityFile
        )
        user = Self.word("user", &random)
        password = Self.word("pass", &random)
        domain = Self.word("Domain", &random)
        schema = Self.word("Schema", &random)
        let (high, low) = (UInt8(index >> 8 & 127), UInt8(index & 255))
        let addresses = try [UInt8(10), 20].map { try #require(IPAddress(bytes: [127, $0 + high, low, 1])) }
        honestAddress = addresses[0]
        rogueAddress = addresses[1]
        let tls: NIOSSLContext? =
            switch (strength, scenario.isBoundToHost, scenario.isExpired) {
            case (.tlsKey, true, _): certificates.vouchedFor
            case (.tlsKey, false, true): certificates.honestExpired
            case (.tlsKey, false, false): certificates.honest.context
            default: nil
            }
        let honest = try await ScriptedServer(
            at: try SocketAddress(honestAddress, port: 0),
            on: fixture.loop,
            tls: tls,
            behaviour: Misbehaviour.none.behaviour(leadingTo: "", sparingLogin: true, seed: 0)
        )
        port = honest.port
        box.value.withLock { $0.honest = honest }
        let scheme = strength.isEncrypted ? ServerURL.Scheme.https : .http
        if Self.isAnnounced(lure, &random) {
            await fixture.announce(Self.name, at: [honestAddress], port: port, scheme: scheme)
            endpointID = try await fixture.registry.find(Self.name).id
        } else {
            let url = ServerURL(scheme: scheme, host: .address(honestAddress, zone: nil), port: port, path: "/bin")
            endpointID = try await fixture.registry.add(name: Self.name, url: url).id
        }
        try await addLogin()
    }

    /// Only an announced server can be redirected by an announcement.
    private static func isAnnounced(_ lure: RogueScenario.Lure?, _ random: inout SeededRandom) -> Bool {
        switch lure {
        case .moves, .renames, .twoAddresses, .otherFamily: true
        case .editedList: false
        default: Bool.random(using: &random)
        }
    }

    private static func word(_ start: String, _ random: inout SeededRandom) -> String {
        start + (0..<12).map { _ in String(Int.random(in: 0..<36, using: &random), radix: 36) }.joined()
    }

    private func addLogin() async throws {
        let pin: Pin =
            switch strength {
            case .tlsKey where scenario.isBoundToHost: .authority(host: Self.host)
            case .tlsKey: .tls(spkiSHA256: certificates.honest.digest)
            case .address: .address(honestAddress, port: port)
            default: .loopback(honestAddress, port: port)
            }
        let login = NewLogin(
            name: "login",
            account: Account(user: user, domain: domain, schema: schema),
            pinned: PinnedEndpoint(
                endpoint: endpointID,
                pin: pin,
                allowsPlaintext: !strength.isEncrypted,
                networkID: strength == .address ? state.value.withLock { $0.network } : nil
            )
        )
        _ = try await fixture.store.add(login, password: try fixture.secret(password))
    }

    // MARK: The LAN

    var honest: ScriptedServer? { state.value.withLock { $0.honest } }
    var rogues: [ScriptedServer] { state.value.withLock { $0.rogues } }
    var adapters: [Adapter] { state.value.withLock { $0.adapters } }
    /// The number of attempts to log in, by opening an adapter or testing the login.
    var wishes: Int { state.value.withLock { $0.logins } }

    func note(_ adapter: Adapter) { state.value.withLock { $0.adapters.append(adapter) } }
    func noteWish() { state.value.withLock { $0.logins += 1 } }
    func moveToOtherNetwork() { state.value.withLock { $0.network = [UInt8](repeating: 2, count: 32) } }

    /// Starts the rogue.
    func raiseRogue(
        at address: IPAddress,
        port: UInt16,
        _ face: RogueScenario.Face,
        _ seed: UInt64
    ) async throws -> ScriptedServer {
        let tls: NIOSSLContext? =
            switch face {
            case .plain: nil
            case .otherKey: certificates.other.context
            case .expiredOtherKey: certificates.otherExpired
            case .otherAuthority: certificates.otherAuthority
            case .otherHost: certificates.otherHost
            }
        let ways = Misbehaviour.allCases.filter { $0 != .zipBomb }
        let way = scenario.rogue ?? ways[Int(seed % UInt64(ways.count))]
        let rogue = try await ScriptedServer(
            at: try SocketAddress(address, port: port),
            on: fixture.loop,
            tls: tls,
            patience: .milliseconds(150),
            behaviour: way.behaviour(
                leadingTo: "http://\(honestAddress):\(self.port)/",
                sparingLogin: seed % 3 == 0,
                seed: seed
            )
        )
        state.value.withLock { $0.rogues.append(rogue) }
        return rogue
    }

    // MARK: The oracle

    /// The parts of the login, and of its sessions on the honest server, that reached a rogue.
    func findings() -> [String] {
        var search = CredentialSearch()
        for (name, text) in [("user", user), ("password", password), ("domain", domain), ("schema", schema)] {
            search.add("the \(name)", Array(text.utf8))
        }
        for id in Set((honest?.requests ?? []).map(\.clientID)) { search.add(id) }
        return rogues.flatMap { search.findings(in: $0.bytes) }
    }

    func stop() async {
        await fixture.stop()
        await honest?.stop()
        for rogue in rogues { await rogue.stop() }
    }
}

extension RogueWorld.Certificates {
    init(in directory: TemporaryDirectory) async throws {
        honest = try await TestCertificate(in: directory, name: "honest")
        honestExpired = try await honest.expired()
        other = try await TestCertificate(in: directory, name: "other")
        otherExpired = try await other.expired()
        let trusted = try await TestAuthority("trusted", in: directory)
        let stranger = try await TestAuthority("stranger", in: directory)
        authorityFile = trusted.file
        let names = "subjectAltName=DNS:\(RogueWorld.host)"
        vouchedFor = try await trusted.issue("vouched", for: names).context()
        otherAuthority = try await stranger.issue("strange", for: names).context()
        // The certificate also covers the addresses of the honest server and the rogue, in the first 256 runs.
        let addresses = (0..<256).map { "IP:127.10.\($0).1,IP:127.20.\($0).1" }.joined(separator: ",")
        let elsewhere = "subjectAltName=DNS:rogue.example,\(addresses)"
        otherHost = try await trusted.issue("elsewhere", for: elsewhere).context()
    }
}
