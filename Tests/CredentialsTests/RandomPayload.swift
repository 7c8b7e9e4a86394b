// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport

@testable import Credentials

/// Fills payloads with everything that the format allows.
struct RandomPayload {
    let key: DataKey
    let source: CountingRandom

    func make(_ random: inout SeededRandom) throws -> VaultPayload {
        var payload = VaultPayload()
        let endpoints = random.number(0...6)
        for index in 0..<endpoints { payload.pins.append(try pinned(index, &random)) }
        if endpoints > 0 {
            let own = payload.pins
            for index in 0..<random.number(0...5) {
                payload.entries.append(try entry(index, random.element(own), &random))
            }
            for index in 0..<random.number(0...2) {
                var alternate = try pinned(endpoints + index, &random)
                alternate.location = EndpointLocation(name: "other \(index)", url: "https://10.0.0.\(index)/bin")
                let (endpoint, isSame) = (random.element(own).endpoint, random.chance(1, of: 2))
                payload.pins.append(alternate.alternate(of: endpoint, isSameDatabase: isSame))
            }
        }
        return payload
    }

    private func pinned(_ index: Int, _ random: inout SeededRandom) throws -> PinnedEndpoint {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        let name = "\(index)-" + String((0..<random.number(0...61)).map { _ in random.element(letters) })
        let names = ["eth0", "w", "veth@if-7.100_x"]
        return PinnedEndpoint(
            endpoint: try required(EndpointID(name)),
            pin: try pin(&random),
            allowsPlaintext: random.chance(1, of: 2),
            networkID: random.chance(1, of: 2) ? random.bytes(32) : nil,
            interface: random.chance(1, of: 2) ? random.element(names) : nil,
            isVerified: random.chance(1, of: 2),
            location: random.chance(1, of: 2)
                ? EndpointLocation(name: "server \(index)", url: "https://192.168.7.\(index):7099/bin") : nil
        )
    }

    private func pin(_ random: inout SeededRandom) throws -> Pin {
        let port = UInt16.random(in: 0...65535, using: &random)
        return switch random.number(0...6) {
        case 0: .address(try required(IPAddress(bytes: random.bytes(4))), port: port)
        case 1: .address(try required(IPAddress(bytes: random.bytes(16))), port: port)
        case 2: .loopback(try required(IPAddress("127.0.0.1")), port: port)
        case 3: .loopback(try required(IPAddress("::1")), port: port)
        case 4: .authority(host: random.element(["db.example.com", "xn--bro-hoa.example", "10.0.0.7", "2001:db8::7"]))
        case 5: .address(try required(IPAddress(bytes: [0xFE, 0x80] + random.bytes(14))), port: port)
        default: .tls(spkiSHA256: random.bytes(32))
        }
    }

    private func entry(
        _ index: Int,
        _ pinned: PinnedEndpoint,
        _ random: inout SeededRandom
    ) throws -> VaultEntry {
        let id = try required(LoginID(bytes: random.bytes(16)))
        let revision = random.next() & VaultLimits.lastNumber
        let longest = random.chance(1, of: 40) ? VaultLimits.secretBytes : 600
        let isText = random.chance(1, of: 2)
        let secret = isText ? Array(random.text(upTo: 60).utf8) : random.bytes(random.number(0...longest))
        return VaultEntry(
            id: id,
            name: "\(index) " + random.text(upTo: 30),
            account: Account(
                user: random.text(upTo: 30),
                domain: random.text(upTo: 30),
                schema: random.text(upTo: random.chance(1, of: 30) ? 1000 : 30),
                userKey: random.chance(1, of: 4) ? .user : .userID,
                extras: random.chance(1, of: 4) ? extras(&random) : []
            ),
            endpoint: pinned.endpoint,
            revision: revision,
            created: random.next(),
            lastUsedDay: UInt32.random(in: 0 ... .max, using: &random),
            password: random.chance(1, of: 5)
                ? .command(try command(&random))
                : .sealed(
                    try SealedSecret(
                        sealing: try Secret(copying: secret, in: key.arena),
                        SealedSecret.Binding(login: id, revision: revision, pin: pinned.pin),
                        key: key,
                        random: source
                    )
                )
        )
    }

    private func command(_ random: inout SeededRandom) throws -> PasswordCommand {
        let words = (0..<random.number(0...31)).map { _ in random.text(upTo: 30).filter { $0 != "\0" } }
        let program = random.element(["pass", "/usr/bin/secret-tool", "/"])
        return PasswordCommand(try required(SecretCommand([program] + words)), isAgreed: random.chance(1, of: 2))
    }

    private func extras(_ random: inout SeededRandom) -> [LoginExtra] {
        (0..<random.number(1...LoginExtra.limit)).map { index in
            LoginExtra(key: "Key \(index)", value: "x" + random.text(upTo: 40))
        }
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw VaultFixture.Unfit() }
        return value
    }
}
