// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// Tests that the oracle of the rogue LAN finds credentials.
@Suite struct CredentialSearchTests {
    private let secret = Array("correct horse 8!".utf8)

    private var search: CredentialSearch {
        var search = CredentialSearch()
        search.add("the password", secret)
        return search
    }

    @Test("a password is found as plain text, UTF-16, hexadecimal, percent code, and base64 at any offset")
    func forms() {
        let hex = HexText.encode(secret)
        var texts: [[UInt8]] = [secret, secret.flatMap { [$0, 0] }, Array(hex.utf8), Array(hex.uppercased().utf8)]
        texts += (0..<6).map { lead in
            Array(Base64.encode([UInt8](repeating: 7, count: lead) + secret + [9, 9, 9]).utf8)
        }
        texts.append(Array(secret.map { "%" + HexText.encode([$0]) }.joined().utf8))
        for text in texts {
            let hidden = [UInt8](repeating: 99, count: 50) + text + [99]
            #expect(!search.findings(in: hidden).isEmpty, "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(search.findings(in: Array("correct horse 7!".utf8)).isEmpty)
    }

    @Test("a password is found in a compressed message before or after other requests")
    func compressed() {
        var values = BinMessageWriter()
        values.write(utf8: String(decoding: secret, as: UTF8.self) + String(repeating: "x", count: 500))
        let message = BinMessage(header: MessageHeader(clientID: ClientID()), body: values.buffer)
        let bytes = Array(message.encoded(compressingFrom: 1).readableBytesView)
        let head = Array("POST /bin HTTP/1.1\r\nContent-Length: 99\r\n\r\n".utf8)
        #expect(search.findings(in: head + bytes).count == 1)
        #expect(search.findings(in: head + bytes + head + Array("more".utf8)).count == 1)
    }

    @Test("a ClientID is found as bytes and as text")
    func clientIDs() {
        let id = ClientID()
        var search = CredentialSearch()
        search.add(id)
        let text = id.revealedText()
        for bytes in [
            id.withWireBytes { Array($0) }, Array(text.utf8), Array(text.uppercased().filter(\.isHexDigit).utf8),
        ] {
            #expect(!search.findings(in: [1, 2, 3] + bytes).isEmpty)
        }
        #expect(search.findings(in: ClientID().withWireBytes { Array($0) }).isEmpty)
    }

    @Test("a login that the user has bound to the rogue by mistake is found at the rogue")
    func wrongServer() async throws {
        let certificates = try await RogueWorld.Certificates(in: TemporaryDirectory())
        var random = SeededRandom(seed: 1)
        let scenario = RogueScenario(
            name: "planted",
            strengths: [.tlsKey],
            lures: [.takesOver(.otherKey)],
            rogue: Misbehaviour.none
        )
        let world = try await RogueWorld(scenario, index: 30_000, certificates: certificates, random: &random)
        try await world.lead(&random)
        #expect(world.findings().isEmpty)
        let mistake = PinnedEndpoint(endpoint: world.endpointID, pin: .tls(spkiSHA256: certificates.other.digest))
        _ = try await world.fixture.store.repin(mistake)
        await world.perform(.open, 0)
        await world.stop()
        let findings = Set(world.findings())
        #expect(
            ["the user", "the password", "the domain", "the schema"].allSatisfy { findings.contains($0 + " as it is") }
        )
    }
}
