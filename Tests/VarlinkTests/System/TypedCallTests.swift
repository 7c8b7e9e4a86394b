// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing
import Varlink
import VarlinkService

@Suite("Calls with generated types")
struct TypedCallTests {
    private struct Press: PressAPIServer {
        func print(_ call: TypedCall<PressAPI.PrintCall>) async throws {
            guard call.parameters.urgent != true else {
                throw PressError.jam(where: "tray", sheets: call.parameters.sheets)
            }
            call.reply(.init(job: .init(id: Int64(call.parameters.sheets.count), next: [.init(id: 2)])))
        }

        func count(_ call: TypedCall<PressAPI.CountCall>) async throws {
            for number in 1..<call.parameters.to { try await call.reply(continuing: .init(number: number)) }
            call.reply(.init(number: call.parameters.to))
        }

        func keep(_ call: TypedCall<PressAPI.KeepCall>) async throws {
            let length = try await call.untyped.upgraded(maximumBytes: Int(call.parameters.limit)) { $0.count }
            call.reply(.init(length: Int64(length)))
        }

        func stop(_ call: TypedCall<PressAPI.StopCall>) async throws { throw PressError.empty() }
    }

    private static let sheet = PressAPI.String(
        size: .letter,
        weight: 80,
        place: .init(tray: "top", shelf: .init(row: 3)),
        ink: .default,
        parts: [
            PressAPI.String(
                size: .a4,
                place: .init(tray: ""),
                ink: .json_,
                parts: [],
                notes: [:],
                marks: [:],
                gaps: [],
                share: 0,
                any: .null,
                object: [:],
                class: false
            )
        ],
        notes: ["a": "b", "c": nil],
        marks: ["seen": [:]],
        gaps: [1, nil, 3],
        share: 0.25,
        any: ["x", 1],
        object: ["k": true],
        class: true
    )

    @Test("parameters, replies and errors keep all values")
    func whole() async throws {
        try await TestServer.run(others: [Press()]) { server in
            let connection = try server.connect()
            let reply = try connection.call(PressAPI.PrintCall(sheets: [Self.sheet, Self.sheet]))
            #expect(reply.job == PressAPI.Print(id: 2, next: [PressAPI.Print(id: 2)]))
            let error = try #require(throws: VarlinkError.self) {
                try connection.call(PressAPI.PrintCall(sheets: [Self.sheet], urgent: true))
            }
            #expect(PressError(error) == .jam(where: "tray", sheets: [Self.sheet]))
            #expect(PressError(error)?.sheets == [Self.sheet] && PressError(.permissionDenied) == nil)
            #expect(PressError(error)?.code == .jam && PressError.Code.jam.rawValue == error.name)
            #expect(throws: PressError.empty().reply) { try connection.call(PressAPI.StopCall()) }
        }
    }

    @Test("a stream has typed replies, and a typed call can have a secret")
    func ways() async throws {
        try await TestServer.run(others: [Press()]) { server in
            var numbers: [Int64] = []
            try server.connect().stream(PressAPI.CountCall(to: 3)) { reply in
                numbers.append(reply.number)
                return .next
            }
            #expect(numbers == [1, 2, 3])
            let length = try Array("secret".utf8).withUnsafeBytes { secret in
                try server.connect().callUpgraded(PressAPI.KeepCall(limit: 10), secrets: [secret]).length
            }
            #expect(length == 6)
        }
    }

    @Test("the error names a parameter of another type")
    func shape() async throws {
        try await TestServer.run(others: [Press()]) { server in
            let connection = try server.connect()
            var sheet = Self.sheet.json
            sheet["gaps"] = [1, "x"]
            for (parameters, name) in [
                (["sheets": [.object(sheet)]], "sheets[0].gaps[1]"), (["sheets": 1], "sheets"), ([:], "sheets"),
                (["sheets": [], "urgent": 1], "urgent"),
            ] as [(JSONObject, String)] {
                #expect(throws: VarlinkError.invalidParameter(name)) {
                    try connection.call("org.example.press.Print", parameters)
                }
            }
        }
    }

    @Test("a reply of another version is reported with its path, and the connection stays open")
    func otherVersion() async throws {
        struct Other: VarlinkInterface {
            let name = PressAPI.name
            let description = PressAPI.definition
            func call(_ call: VarlinkCall) async throws { call.reply(["job": ["id": "one"]]) }
        }
        try await TestServer.run(others: [Other()]) { server in
            let connection = try server.connect()
            for _ in 0..<2 {
                #expect(throws: JSONShapeError(path: "job.id", expected: .integer)) {
                    try connection.call(PressAPI.PrintCall(sheets: []))
                }
            }
        }
    }
}
