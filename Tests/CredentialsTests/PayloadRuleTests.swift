// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import Credentials

@Suite("Rules of the payload")
struct PayloadRuleTests {
    private static func decode(_ bytes: [UInt8], _ fixture: VaultFixture) -> Result<VaultPayload, CredentialError> {
        bytes.withUnsafeBytes { bytes in
            Result { () throws(CredentialError) in
                try PayloadCodec.decode(bytes, minor: 0, in: fixture.arena).0
            }
        }
    }

    private static func encode(_ payload: VaultPayload, _ fixture: VaultFixture) throws -> [UInt8] {
        try PayloadCodec.withEncoded(payload, fixture.keys, in: fixture.arena) { Array($0) }
    }

    private static func refusal(_ payload: VaultPayload, _ fixture: VaultFixture) throws -> CredentialError? {
        guard case .failure(let error) = decode(try encode(payload, fixture), fixture) else { return nil }
        return error
    }

    @Test("a surplus block of zeros is refused")
    func padding() throws {
        let fixture = try VaultFixture()
        let bytes = try Self.encode(VaultPayload(), fixture)
        #expect(Self.decode(bytes, fixture) == .success(VaultPayload()))
        let longer = bytes + [UInt8](repeating: 0, count: 4096)
        #expect(Self.decode(longer, fixture) == .failure(.damaged(.record("padding"))))
    }

    @Test("sections must ascend, and each occurs exactly once")
    func sections() throws {
        let fixture = try VaultFixture()
        let bytes = try Self.encode(VaultPayload(), fixture)
        // Empty sections 1 to 4 take six bytes each.
        var swapped = bytes
        swapped[0] = 2
        swapped[6] = 1
        var twice = bytes
        twice[6] = 1
        let missing = Array(bytes[6...]) + [UInt8](repeating: 0, count: 6)
        #expect(Self.decode(swapped, fixture) == .failure(.damaged(.record("section after 2"))))
        #expect(Self.decode(twice, fixture) == .failure(.damaged(.record("section after 1"))))
        #expect(Self.decode(missing, fixture) == .failure(.damaged(.record("section 1 is missing"))))
    }

    @Test("fields must ascend, and each occurs once")
    func fields() throws {
        func parse(_ tags: [UInt16], isFromNewerMinor: Bool = false) throws -> VaultRecord {
            var writer = ByteWriter()
            for tag in tags { writer.append(field: tag, [7]) }
            return try writer.bytes.withUnsafeBytes {
                try VaultRecord(parsing: $0, known: 3, isFromNewerMinor: isFromNewerMinor)
            }
        }
        #expect(try parse([1, 3]).optionalValue(2) == nil)
        #expect(try parse([1, 9], isFromNewerMinor: true).optionalValue(1) != nil)
        for tags: [UInt16] in [[2, 1], [1, 1], [0], [4], [1, 2, 3, 4]] {
            #expect(throws: CredentialError.self) { try parse(tags) }
        }
        #expect(throws: CredentialError.self) { try parse([2, 1], isFromNewerMinor: true) }
    }

    @Test("IDs, names and endpoints are unique, and every login has a pin")
    func references() throws {
        let fixture = try VaultFixture()
        let good = try fixture.open(try fixture.file(loginCount: 2)).payload
        #expect(try Self.refusal(good, fixture) == nil)

        var changed = good
        changed.entries[1].name = changed.entries[0].name
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("login name twice")))
        changed = good
        changed.entries[1] = changed.entries[0]
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("login id twice")))
        changed = good
        changed.pins.removeLast()
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("login without a pin")))
        changed = good
        changed.pins.append(changed.pins[0])
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("endpoint twice")))
        changed = good
        changed.entries[0].name = ""
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("login name")))
        changed = good
        changed.entries[0].user = String(repeating: "x", count: 4097)
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("text of field 3")))
        changed = good
        changed.settings = [VaultSetting(name: "a", value: []), VaultSetting(name: "a", value: [1])]
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("setting twice")))
        changed.settings = [VaultSetting(name: "a", value: [UInt8](repeating: 0, count: 4097))]
        #expect(try Self.refusal(changed, fixture) == .damaged(.record("setting")))
    }
}
