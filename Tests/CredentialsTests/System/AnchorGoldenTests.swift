// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("The golden anchor")
struct AnchorGoldenTests {
    private static let name = "anchor-1.0"

    @Test("encoding yields the anchor of the golden vault byte for byte, and its verdict is current")
    func golden() throws {
        let arena = try SecretArena()
        let vault = try OpenVault.open(
            try VaultFile(parsing: try GoldenVault.bytes(of: GoldenVault.fileName)),
            kind: .credentialsDirectory,
            secret: SharedSecret(try Secret(copying: GoldenVault.key, in: arena)),
            in: arena
        )
        let golden = try GoldenVault.bytes(of: Self.name)
        #expect(try VaultAnchors.draft(of: vault).bytes == golden)
        let anchor = try #require(VaultAnchors.copy(at: .file, for: vault) { golden }.anchor)
        #expect(AnchorVerdict(vault.record, against: anchor) == .current)
        #expect(HexText.encode(golden[72...]) == "82fb076a2b662cb5b1ea9a2e12f58e903fb77034f2acf617c29dadc0c83a24f6")
    }

    @Test("the independent reader accepts the golden anchor, and none with a changed byte")
    func independentReader() async throws {
        guard let reader = try await IndependentReader.ifAvailable() else { return }
        let vault = try GoldenVault.path(of: GoldenVault.fileName)
        let key = HexText.encode(GoldenVault.key)
        let good = try await reader.read(vault, "--key", key, "--anchor", try GoldenVault.path(of: Self.name))
        #expect(good.standardOutput.contains("\"anchor\": {\n    \"generation\": 2,"), "\(good)")
        let temporary = TemporaryDirectory()
        for (offset, reason) in [(0, "no anchor"), (16, "of another vault"), (32, "wrong tag"), (103, "wrong tag")] {
            var bytes = try GoldenVault.bytes(of: Self.name)
            bytes[offset] ^= 1
            temporary.write(bytes, to: "anchor")
            let read = try await reader.read(vault, "--key", key, "--anchor", temporary.path(of: "anchor"))
            #expect(read.standardOutput.contains("\"anchor\": \"\(reason)\""), "\(read)")
        }
    }
}
