// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

extension RogueWorld {
    private var scheme: ServerURL.Scheme { strength.isEncrypted ? .https : .http }

    /// Changes the LAN.
    func lead(_ random: inout SeededRandom) async throws {
        let seed = random.next()
        switch lure {
        case nil:
            let rogue = try await raiseRogue(at: rogueAddress, port: 0, .plain, seed)
            for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://\(rogueAddress):\(rogue.port)", 1)
            }
        case .sameName(let samePort):
            let rogue = try await raiseRogue(at: rogueAddress, port: samePort ? port : 0, scenario.face, seed)
            await fixture.announce(Self.name, at: [rogueAddress], port: rogue.port, scheme: scheme, interface: 7)
        case .takesOver(let face):
            await honest?.stop()
            _ = try await raiseRogue(at: honestAddress, port: port, face, seed)
        case .moves(let toHost):
            let address = toHost ? rogueAddress : honestAddress
            let rogue = try await raiseRogue(at: address, port: 0, scenario.face, seed)
            await fixture.announce(Self.name, at: [address], port: rogue.port, scheme: scheme)
        case .renames:
            let rogue = try await raiseRogue(at: rogueAddress, port: 0, scenario.face, seed)
            await fixture.unannounce(Self.name)
            await fixture.announce("renamed", at: [honestAddress], port: port, scheme: scheme)
            await fixture.announce(Self.name, at: [rogueAddress], port: rogue.port, scheme: scheme, interface: 3)
        case .twoAddresses(let rogueFirst):
            _ = try await raiseRogue(at: rogueAddress, port: port, scenario.face, seed)
            let addresses = rogueFirst ? [rogueAddress, honestAddress] : [honestAddress, rogueAddress]
            await fixture.announce(Self.name, at: addresses, port: port, scheme: scheme)
        case .otherFamily(let rogueFirst):
            let rogueAddress = try #require(IPAddress("::1"))
            _ = try await raiseRogue(at: rogueAddress, port: port, scenario.face, seed)
            let addresses = rogueFirst ? [rogueAddress, honestAddress] : [honestAddress, rogueAddress]
            await fixture.announce(Self.name, at: addresses, port: port, scheme: scheme)
        case .editedList:
            let rogue = try await raiseRogue(at: rogueAddress, port: 0, scenario.face, seed)
            let host = ServerHost.address(rogueAddress, zone: nil)
            let url = ServerURL(scheme: scheme, host: host, port: rogue.port, path: "/bin")
            await fixture.registry.configure([
                (id: endpointID, entry: ManualEntry(name: Self.name, url: url, origin: .configured))
            ])
        case .neighbour:
            let rogue = try await raiseRogue(at: honestAddress, port: 0, scenario.face, seed)
            await fixture.announce("neighbour", at: [honestAddress], port: rogue.port, scheme: scheme, interface: 2)
        case .otherNetwork:
            await honest?.stop()
            moveToOtherNetwork()
            _ = try await raiseRogue(at: honestAddress, port: port, .plain, seed)
        }
    }

    /// Changes the behaviour of the honest server.
    func corrupt(_ random: inout SeededRandom) {
        let others = Misbehaviour.allCases.filter { $0 != .zipBomb }
        let way =
            scenario.honest ?? (Bool.random(using: &random) ? .none : others.randomElement(using: &random) ?? .none)
        let lure =
            rogues.first.map { "http://\($0.address.ipAddress ?? ""):\($0.port)/bin" } ?? "http://\(rogueAddress):1/"
        honest?.behave(
            way.behaviour(leadingTo: lure, sparingLogin: Bool.random(using: &random), seed: random.next())
        )
    }

    /// An action of the user or of the user's programs.
    enum Act: CaseIterable {
        case open, openNamed, call, callAndHangUp, close, test, look, probe, lock, openOthers, pause
    }

    /// Actions may fail on a rogue LAN. The oracle decides.
    func perform(_ act: Act, _ seed: UInt64) async {
        let adapter = adapters.isEmpty ? nil : adapters[Int(seed % UInt64(adapters.count))]
        switch act {
        case .open, .openNamed:
            guard let endpoint = await fixture.registry.endpoint(endpointID) else { return }
            await open(endpoint, login: act == .open ? nil : "login")
        case .call:
            if let adapter { _ = try? await Tool.call(adapter.socketPath) }
        case .callAndHangUp:
            guard let adapter else { return }
            try? await BlockingWork.run {
                let tool = try Tool(adapter.socketPath)
                tool.send(Tool.post(Tool.getSchema()))
                tool.pause(milliseconds: Int32(seed % 30))
            }
        case .close: if let adapter { try? await fixture.broker.close(adapter.id) }
        case .test:
            guard let login = try? await fixture.store.logins().first else { return }
            noteWish()
            _ = try? await fixture.broker.test(login).steps
        case .look: for endpoint in await endpoints { _ = try? await fixture.broker.identity(of: endpoint) }
        case .probe: for endpoint in await endpoints { await probe(endpoint) }
        case .lock:
            await fixture.store.lock()
            try? await fixture.unlock()
        case .openOthers:
            for endpoint in await endpoints where endpoint.id != endpointID {
                await open(endpoint, login: seed % 2 == 0 ? nil : "login")
                await open(endpoint, login: nil, anonymous: true)
            }
        case .pause: try? await fixture.loop.sleep(for: .milliseconds(Int64(seed % 40)))
        }
    }

    /// Makes a last attempt to use the honest server.
    ///
    /// - Returns: the error if it failed.
    func wish() async -> (any Error)? {
        noteWish()
        // A caller that joins an existing session would not contact the server.
        for adapter in await fixture.broker.openAdapters { try? await fixture.broker.close(adapter.id) }
        do {
            guard let endpoint = await fixture.registry.endpoint(endpointID) else { return nil }
            note(try await fixture.open(endpoint))
            return nil
        } catch {
            return error
        }
    }

    /// Whether the honest server is unreachable for every client.
    var isHonestServerGone: Bool {
        switch lure {
        case .takesOver, .otherNetwork: true
        default: false
        }
    }

    private var endpoints: [Endpoint] {
        get async { await fixture.registry.snapshot.endpoints }
    }

    private func open(_ endpoint: Endpoint, login: String?, anonymous: Bool = false) async {
        if !anonymous { noteWish() }
        let adapter = try? await fixture.open(endpoint, login: login, anonymous: anonymous)
        if let adapter {
            note(adapter)
            _ = try? await Tool.call(adapter.socketPath)
        }
    }

    private func probe(_ endpoint: Endpoint) async {
        guard let addresses = try? await fixture.connector.candidates(for: endpoint) else { return }
        let pin = await fixture.store.readablePin(of: endpoint.id)
        let end = NIODeadline.now() + .seconds(1)
        _ = try? await fixture.connector.contact(endpoint, at: addresses, pin: pin, before: end)
    }
}
