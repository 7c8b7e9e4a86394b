// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@testable import relctl

@Suite("Hints for errors of the daemon")
struct DaemonErrorHintTests {
    @Test("relctl accepts each hint that is one of its commands", arguments: DaemonError.Code.allCases)
    func hint(code: DaemonError.Code) throws {
        guard let hint = try Self.error(code).hint, hint.command.hasPrefix("relctl ") else { return }
        let words = hint.command.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
        #expect(words.last == "--help" ? Relctl.hasVerb(words.dropLast()) : Relctl.takes(words), "\(hint.command)")
    }

    @Test("if the endpoint is not known, a hint does not name one", arguments: DaemonError.Code.allCases)
    func withoutEndpoint(code: DaemonError.Code) throws {
        guard let error = try? Self.error(code, without: "endpoint"), let hint = error.hint else { return }
        let isAboutEndpoint = try Self.error(code).record.json["endpoint"] != nil
        #expect(!isAboutEndpoint || !hint.command.contains("'x'"), "\(hint.command)")
    }

    @Test("a usage error without another command has the help of the verb as its hint")
    func usage() throws {
        let failure = try #require(Failure(try Self.error(.invalidGrant)))
        #expect(failure.status == .usage && failure.hint?.command.hasSuffix("--help") == true)
        #expect(try Failure(Self.error(.storeBusy))?.hint == nil)
    }

    @Test(
        "a name becomes one word of the command, and never an option",
        arguments: [
            ("Main hall", "relctl login add 'Main hall'"), ("Büro Süd", "relctl login add 'Büro Süd'"),
            ("a\u{202E}b", #"relctl login add $'a\xe2\x80\xaeb'"#),
            ("x'; rm -rf ~; '", #"relctl login add 'x'\''; rm -rf ~; '\'''"#),
            ("--help", "relctl login add -- '--help'"),
        ]
    )
    func quoting(name: String, command: String) {
        #expect(DaemonError.loginNeeded(.init(message: "m", name: name)).hint?.command == command)
        let option: Hint = "relctl doctor --login=\(name)"
        #expect(option.command.hasPrefix("relctl doctor --login=") && !option.command.contains(" -- "))
    }

    @Test("the full resource decides which command frees space, and the stream which watch to repeat")
    func words() {
        let slots = DaemonError.vaultFull(.init(message: "m", content: .slots, limit: 8))
        #expect(slots.hint == "relctl vault slot list")
        #expect(DaemonError.watcherTooSlow(.init(message: "m", stream: .endpoints)).hint == "relctl watch")
        let plain = DaemonError.plaintextNotAllowed(.init(message: "m", endpoint: "e", pinned: false))
        #expect(plain.hint?.command == "relctl endpoint pin 'e' --allow-plaintext")
    }

    /// An error whose texts are `x`, whose numbers are 7, and whose flags are true.
    private static func error(_ code: DaemonError.Code, without absent: String? = nil) throws -> DaemonError {
        for text in InterfaceText.all {
            let description = try VarlinkDescription(parsing: text)
            for error in description.errors where "\(description.name).\(error.name)" == code.rawValue {
                guard case .struct(let fields) = error.type else { continue }
                var parameters = JSONObject()
                for field in fields where field.name != absent { parameters[field.name] = value(of: field) }
                guard let error = DaemonError(VarlinkError(code.rawValue, parameters)) else { continue }
                return error
            }
        }
        throw VarlinkError(code.rawValue)
    }

    private static func value(of field: VarlinkField) -> JSONValue? {
        func value(_ type: VarlinkType) -> JSONValue? {
            switch type {
            case .bool: true
            case .int: 7
            case .string: "x"
            case .maybe(let inner): value(inner)
            case .array(let inner): value(inner).map { .array([$0]) }
            case .enum(let words): (field.name == "stream" ? words.last : words.first).map { .string($0) }
            default: nil
            }
        }
        return value(field.type)
    }
}
