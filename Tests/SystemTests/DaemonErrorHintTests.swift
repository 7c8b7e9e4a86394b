// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@testable import relctl

@Suite("Hints for errors of the daemon")
struct DaemonErrorHintTests {
    @Test(
        "relctl accepts each command, and every parameter in it is one of the error",
        arguments: DaemonError.Code.allCases
    )
    func hint(code: DaemonError.Code) throws {
        let error = try Self.error(code)
        let hint = error.hint
        #expect((hint == nil) == (code.row.nextStep == nil && !Self.decided.contains(code)))
        guard let hint, hint.command.hasPrefix("relctl ") else { return }
        // The first command of the row has a parameter that the error has.
        let first = code.row.nextStep?.split(separator: " | ").first
        #expect(first.map { $0.contains("{") == (hint.command.contains("'x'") || hint.command.contains("7")) } ?? true)
        let words = hint.command.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
        #expect(words.last == "--help" ? Relctl.hasVerb(words.dropLast()) : Relctl.takes(words), "\(hint.command)")
    }

    /// Errors whose hint is not in their row.
    private static let decided: Set<DaemonError.Code> = [.watcherTooSlow, .unsafeStore, .diskFull, .vaultFull]

    @Test("if the endpoint is not known, a hint does not name one", arguments: DaemonError.Code.allCases)
    func withoutEndpoint(code: DaemonError.Code) throws {
        guard let error = try? Self.error(code, without: "endpoint"), let hint = error.hint else { return }
        let isAboutEndpoint = try Self.error(code).endpoint != nil
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
        #expect(DaemonError.loginNeeded(message: "m", name: name).hint?.command == command)
        let option: Hint = "relctl doctor --login=\(name)"
        #expect(option.command.hasPrefix("relctl doctor --login=") && !option.command.contains(" -- "))
    }

    @Test("the full resource decides which command frees space, and the stream which watch to repeat")
    func words() {
        let slots = DaemonError.vaultFull(message: "m", content: .slots, limit: 8)
        #expect(slots.hint == "relctl vault slot list")
        #expect(DaemonError.watcherTooSlow(message: "m", stream: .endpoints).hint == "relctl watch")
        #expect(DaemonError.watcherTooSlow(message: "m", stream: .adapters).hint == "relctl adapter watch")
        #expect(
            DaemonError.unsafeStore(message: "m", path: "p", repair: "chmod 600 'p'").hint?.command == "chmod 600 'p'"
        )
        let plain = DaemonError.plaintextNotAllowed(message: "m", endpoint: "e", pinned: false)
        #expect(plain.hint?.command == "relctl endpoint pin 'e' --allow-plaintext")
    }

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
