// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@testable import LocalAPI

@Suite("Endpoints written and read without a tree of values")
struct EndpointTextTests {
    private static let hostile = [
        "", "Office", "\"},{\"id\":\"x\"", "\u{0}\u{1B}[2J\n\t\\", "é\u{301}😀\u{202E}",
        String(repeating: "\\\"", count: 120),
        "\u{2028}\u{FEFF}", "parameters", "\"error\"",
    ]

    @Test("the text equals that of the general encoder, and its summary that of the record")
    func same() throws {
        var random = SeededRandom(seed: 31)
        var list = Array("[".utf8)
        var records: [RegistryAPI.Endpoint] = []
        for _ in 0..<1_000 {
            let record = Self.record(using: &random)
            var text: [UInt8] = []
            record.serialize(into: &text)
            #expect(text == JSONValue.object(record.json).serialized())
            #expect(try RegistryAPI.Endpoint(json: #require(JSONValue(parsing: text).objectValue)) == record)
            if !records.isEmpty { list.append(UInt8(ascii: ",")) }
            record.serialize(into: &list)
            records.append(record)
        }
        list.append(UInt8(ascii: "]"))
        let read = try list.withUnsafeBytes { bytes in
            try JSONValue(parsing: bytes, limits: JSONLimits(bytes: 16 << 20), onlyMembers: EndpointSummary.members)
        }
        let summaries = try #require(read.arrayValue).map { try EndpointSummary(json: #require($0.objectValue)) }
        #expect(summaries == records.map { EndpointSummary($0) })
    }

    private static func record(using random: inout SeededRandom) -> RegistryAPI.Endpoint {
        func text() -> String { hostile.randomElement(using: &random) ?? "" }
        func texts() -> [String] { (0..<Int.random(in: 0..<4, using: &random)).map { _ in text() } }
        func number() -> Int64 { Int64(bitPattern: random.next()) }
        func sometimes<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        func reason() -> RegistryAPI.Reason {
            RegistryAPI.Reason(
                code: RegistryAPI.Reason.Code.allCases.randomElement(using: &random) ?? .error,
                host: sometimes(text()),
                port: sometimes(number()),
                detail: sometimes(text())
            )
        }
        return RegistryAPI.Endpoint(
            id: text(),
            name: text(),
            origin: RegistryAPI.Endpoint.Origin.allCases.randomElement(using: &random) ?? .manual,
            state: RegistryAPI.Endpoint.State.allCases.randomElement(using: &random) ?? .unknown,
            stateReason: sometimes(reason()),
            stateSince: sometimes(number()),
            stateHeard: sometimes(number()),
            url: text(),
            announcedUrl: sometimes(text()),
            scheme: sometimes(.http) ?? .https,
            host: text(),
            port: number(),
            path: text(),
            addresses: texts(),
            interfaces: texts(),
            sources: texts(),
            dataService: text(),
            loginService: text(),
            serviceType: sometimes(text()),
            domain: sometimes(text()),
            txt: texts(),
            probe: sometimes(.on) ?? .off,
            hidden: .random(using: &random),
            readOnly: .random(using: &random),
            grantsOnly: .random(using: &random),
            sessionExport: .random(using: &random),
            confirm: .random(using: &random),
            acceptUnknownOwner: .random(using: &random),
            loginDomain: sometimes(text()),
            loginSchema: sometimes(text()),
            codePage: sometimes(text()),
            defaultLogin: sometimes(text())
        )
    }
}
