// SPDX-License-Identifier: Apache-2.0

import JSON
import Locks
import Varlink
import VarlinkService

/// org.varlink.certification: each call must return the values of the previous reply. `End` confirms that all calls
/// were made in order. It serves one client at a time.
final class CertificationInterface: VarlinkInterface {
    private struct Progress {
        var next = "Start"
        var wants: JSONObject = [:]
    }

    private static let clientID = "one"
    private static let order =
        ["Start"] + (1...11).map { $0 < 10 ? "Test0\($0)" : "Test\($0)" } + ["End"]

    private static let everything: JSONObject = [
        "bool": false, "int": 2, "float": 3.141592653589793, "string": "a \"lot\" of string\n€😀",
    ]

    private static let myType: JSONValue = [
        "object": ["method": "org.example.any", "parameters": ["map": ["foo": "Foo"], "list": [1, 2.5, "x", nil]]],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": ["foo": "Foo", "bar": "Bar"],
        "stringset": ["one": [:], "two": [:], "three": [:]],
        "nullable": nil,
        "nullable_array_struct": nil,
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]

    private static let replies: [String: JSONObject] = [
        "Start": ["client_id": .string(clientID)],
        "Test01": ["bool": true],
        "Test02": ["int": 1],
        "Test03": ["float": 1.0],
        "Test04": ["string": "ping"],
        "Test05": everything,
        "Test06": ["struct": .object(everything)],
        "Test07": ["map": ["foo": "Foo", "bar": "Bar"]],
        "Test08": ["set": ["one": [:], "two": [:], "three": [:]]],
        "Test09": ["mytype": myType],
        "Test11": [:],
        "End": ["all_ok": true],
    ]

    let name = "org.varlink.certification"
    let description: String
    private let progress = Lock(Progress())

    /// - Parameter description: the text of the suite.
    init(description: String) {
        self.description = description
    }

    func call(_ call: VarlinkCall) async throws {
        let wants = progress.withLock { progress -> JSONObject in
            var wants = progress.wants
            if call.method != "Start" { wants["client_id"] = .string(Self.clientID) }
            if call.method != progress.next { wants["method"] = .string(progress.next) }
            return wants
        }
        let got = Self.withoutNulls(.object(call.parameters))
        guard got == Self.withoutNulls(.object(wants)),
            call.wantsMore == (call.method == "Test10"),
            call.isOneway == (call.method == "Test11")
        else {
            throw VarlinkError(
                "org.varlink.certification.CertificationError",
                ["wants": .object(wants), "got": .object(call.parameters)]
            )
        }
        var reply = Self.replies[call.method] ?? [:]
        if call.method == "Test10" {
            for number in 1..<10 {
                try await call.reply(continuing: ["string": "Reply number \(number)"])
            }
            reply = ["string": "Reply number 10"]
        }
        advance(after: call.method, reply)
        call.reply(reply)
    }

    private func advance(after method: String, _ reply: JSONObject) {
        progress.withLock { progress in
            let index = Self.order.firstIndex(of: method).map { $0 + 1 } ?? 0
            progress.next = Self.order[index % Self.order.count]
            switch method {
            case "Start", "End": progress.wants = [:]
            case "Test10": progress.wants = ["last_more_replies": .array((1...10).map { "Reply number \($0)" })]
            default: progress.wants = reply
            }
        }
    }

    /// A null optional member is equal to an absent one. Nulls within arrays count.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue {
        guard case .object(let object) = value else { return value }
        return .object(JSONObject(object.filter { !$0.value.isNull }.map { ($0.key, withoutNulls($0.value)) }))
    }
}
