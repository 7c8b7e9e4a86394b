// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@testable import relctl

@Suite("Hints for errors of the daemon")
struct DaemonErrorHintTests {
    /// The hint of each error. Every text in the errors is `x`, every number 7, and every flag true.
    private static let hints: [DaemonError.Code: String?] = [
        .failed: "relctl journal", .notPermitted: nil,

        .endpointNotFound: "relctl list", .endpointAmbiguous: "relctl list", .invalidEndpoint: nil,
        .endpointExists: "relctl show 'x'", .endpointNotManual: "relctl hide 'x'", .listFull: "relctl list",
        .listTooNew: "relctl status", .notSaved: "relctl doctor", .watcherTooSlow: "relctl adapter watch",
        .tooManyWatchers: nil,

        .vaultAbsent: "relctl vault init", .vaultLocked: "relctl vault unlock", .vaultExists: "relctl vault status",
        .wrongKey: "relctl vault status", .vaultDamaged: "relctl doctor", .formatTooNew: "relctl version",
        .rollbackSuspected: "relctl vault accept --generation 7",
        .forkSuspected: "relctl vault accept --generation 7", .wrongGeneration: "relctl vault status",
        .providerUnavailable: "relctl vault providers", .storeBusy: nil, .vaultChanged: "relctl vault status",
        .attemptInProgress: nil, .unsafeStore: "x", .storageFailed: "relctl doctor", .diskFull: "df -h '.'",
        .vaultFull: "relctl login list", .copyTooCostly: "relctl vault export --help",
        .slotNotFound: "relctl vault slot list", .slotAmbiguous: "relctl vault slot list",
        .slotNeeded: "relctl vault slot add --provider passphrase", .slotExists: "relctl vault slot list",
        .slotNotPresented: nil, .loginNotFound: "relctl login list", .loginNameAmbiguous: "relctl login list",
        .loginExists: "relctl login list",
        .loginReadOnly: "man relativityd", .passwordCommandFailed: "man relativityd",
        .loginFileChanged: "systemctl --user restart relativityd.service",
        .invalidLogin: nil, .pinNotFound: "relctl endpoint pin 'x'",
        .loginsBound: "relctl endpoint forget --logins 'x'",
        .plaintextNotAllowed: "relctl endpoint repin 'x' --allow-plaintext",

        .loginNeeded: "relctl login add 'x'", .loginAmbiguous: nil, .loginElsewhere: "relctl login list",
        .loginUnclear: nil,
        .loginRejected: "relctl login test 'x'", .newLoginRejected: "relctl login add 'x'", .reloginBlocked: nil,
        .endpointUnreachable: "relctl doctor 'x'", .identityConflict: "relctl endpoint repin 'x'",
        .identityUnverified: "relctl endpoint repin 'x'", .identityChanged: "relctl show 'x'",
        .ownerUnknown: "relctl endpoint set 'x' --accept-unknown-owner on",
        .noAuthority: "relctl show 'x' --trust key", .serverException: nil, .protocolFailure: "relctl doctor 'x'",
        .adapterNotFound: "relctl adapter list", .adapterClosed: "relctl adapter open 'x'",
        .tooManyAdapters: "relctl adapter list", .socketFailed: "relctl doctor", .grantNotFound: "relctl grant list",
        .invalidGrant: nil, .grantsOnly: "relctl grant add --help",
        .sessionExportOff: "relctl adapter open 'x' --loopback",

        .logUnavailable: "relctl audit verify",
    ]

    @Test(
        "each error has its hint, and relctl accepts each command",
        arguments: DaemonError.Code.allCases
    )
    func hint(code: DaemonError.Code) throws {
        let expected = try #require(Self.hints[code], "\(code) has no row")
        let hint = try Self.error(code).hint
        #expect(hint?.command == expected)
        guard let hint, hint.command.hasPrefix("relctl ") else { return }
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
