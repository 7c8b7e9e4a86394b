// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import TestSupport
import Testing

@testable import LocalAPIServer
@testable import Registry
@testable import relctl

@Suite("Five hundred hostile announcements, from the source to the terminal")
struct HostileTextTests {
    private static let pieces: [[UInt8]] = [
        [0x1B, 0x5B, 0x33, 0x31, 0x6D], [0x1B, 0x5D, 0x30, 0x3B], [0x07], [0x08], [0x0A], [0x0D], [0x09], [0x00],
        [0x7F],
        [0xC2, 0x9B], [0xFF], [0xFE, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80],
        Array("\u{202E}".utf8), Array("\u{2066}".utf8), Array("\u{200B}".utf8), Array("\u{2028}".utf8),
        Array("\u{FEFF}".utf8), Array("\u{E0041}".utf8), Array("a\u{301}\u{301}\u{301}\u{301}\u{301}".utf8),
        Array("\u{1F468}\u{200D}\u{1F469}".utf8), Array("\u{FFFD}".utf8), Array("\\".utf8), Array("\"".utf8),
        Array("../../etc".utf8), Array("$(reboot)".utf8), Array("--help".utf8), Array("%s%n".utf8), Array(".".utf8),
        Array("\u{212A}".utf8), Array("K".utf8), Array("k".utf8), Array(" ".utf8), Array("B\u{FC}ro".utf8),
        Array("Bu\u{308}ro".utf8), [],
    ]

    private static func text(_ random: inout SeededRandom, atMost limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) { bytes += pieces.randomElement(using: &random) ?? [] }
        return Array(bytes.prefix(limit))
    }

    private static func sighting(_ random: inout SeededRandom) throws -> Sighting {
        let address = try #require(IPAddress(bytes: [10, 0, 0, UInt8.random(in: 1...100, using: &random)]))
        return Sighting(
            key: .init(
                source: .avahi,
                instance: ServiceInstance(
                    nameBytes: text(&random, atMost: 63),
                    type: "_Relativity_DataService_rosdk._tcp",
                    domain: "local"
                ),
                interface: 2,
                family: .inet
            ),
            interfaceName: "eth0",
            host: String(decoding: text(&random, atMost: 255), as: UTF8.self),
            port: UInt16.random(in: 1...65_535, using: &random),
            address: address,
            txt: (0..<Int.random(in: 0...4, using: &random)).map { _ in text(&random, atMost: 255) },
            isLocal: false
        )
    }

    @Test("each keeps its exact bytes, and harms neither the valid server, nor the JSON, nor the terminal")
    func pipeline() throws {
        var random = SeededRandom(seed: 4_711)
        let sightings = try (0..<500).map { _ in try Self.sighting(&random) }
        var good = try #require(sightings.first)
        good.key.instance = ServiceInstance(name: "Good", type: good.key.instance.type, domain: "local")
        (good.host, good.port, good.txt) = ("srv.local.", 7_099, [Array("v=1".utf8)])

        var state = RegistryState()
        state.apply(.source(.up), from: .avahi)
        for sighting in [good] + sightings { state.apply(.sighted(sighting), from: .avahi) }
        let endpoints = state.endpoints
        let names = Set(sightings.map { InstanceName($0.key.instance) })
        // Distinct names stay distinct, also if they are equal as text.
        #expect(names.count > 400)
        #expect(Set(sightings.map(\.key.instance.name)).count < Set(sightings.map(\.key.instance.nameBytes)).count)
        #expect(Set(endpoints.flatMap { $0.instance.map(InstanceName.init).map { [$0] } ?? [] }).isSuperset(of: names))
        #expect(Set(endpoints.map(\.id)).count == endpoints.count)

        let records = endpoints.map { RegistryAPI.Endpoint($0) }
        let mine = try #require(records.first { $0.name == "Good" })
        #expect(mine.url == "http://srv.local:7099/bin" && mine.txt == ["v=1"] && mine.state == .announced)
        for record in records {
            let bytes = JSONValue.object(record.json).serialized()
            #expect(!bytes.contains { $0 < 0x20 })
            #expect(try RegistryAPI.Endpoint(json: #require(try JSONValue(parsing: bytes).objectValue)) == record)
            // A shown address can be typed again, and has the same meaning.
            #expect(try ServerURL(completing: record.url).description == record.url)
            #expect(!record.host.contains("127"))
        }
        check(records)
    }

    private func check(_ records: [RegistryAPI.Endpoint]) {
        let table = Table(["NAME", "URL", "ID"], records.map { [$0.name, $0.url, $0.id] }).text
        #expect(table.split(separator: "\n", omittingEmptySubsequences: false).count == records.count + 2)
        let facts = records.map {
            Facts(["name": $0.name, "host": $0.host, "txt": $0.txt.joined(separator: ", ")]).text
        }
        let shown = table + facts.joined()
        let raw = shown.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: scalar != "\n"
            default: false
            }
        }
        #expect(raw.isEmpty, "\(raw.map(\.value))")
    }
}
