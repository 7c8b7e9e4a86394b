// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Cost of a hostile slot")
struct KeyDerivationCostTests {
    @Test("every other scrypt cost is refused before memory is allocated")
    func costs() async throws {
        let fixture = try VaultFixture(kind: .passphrase)
        let bytes = try fixture.file()
        let base = try FormatBase(bytes, dataKey: fixture.key.secret.secret.withBytes { Array($0) }, in: fixture.arena)
        let temporary = TemporaryDirectory()
        var variants: [(UInt8, UInt8, UInt8)] = []
        for log2N in UInt8.min...UInt8.max where !ScryptCost.accepted.contains(log2N) { variants.append((log2N, 8, 1)) }
        for r in UInt8.min...UInt8.max where r != 8 { variants.append((20, r, 1)) }
        for p in UInt8.min...UInt8.max where p != 1 { variants.append((20, 8, p)) }
        var paths: [String] = []
        for (index, (log2N, r, p)) in variants.enumerated() {
            var header = base.header
            header.replaceSubrange(146..<149, with: [log2N, r, p])
            // The worst case: the attacker has the data key.
            try base.setDigest(in: &header)
            try base.setTag(in: &header)
            temporary.write(header + base.sealed, to: "\(index)")
            paths.append(temporary.path(of: "\(index)"))
        }
        let output = try await Command([Products.path(of: "format-probe"), "cost"] + paths).succeed()
        let lines = output.split(separator: "\n")
        #expect(lines.count == variants.count + 1)
        #expect(lines.dropLast().allSatisfy { $0 == "slot" })
        let peak = try #require(lines.last.flatMap { Int($0) })
        print("scrypt costs: \(variants.count) refused, peak memory \(peak / 1024) MiB")
        #expect(peak < 64 * 1024)
    }
}
