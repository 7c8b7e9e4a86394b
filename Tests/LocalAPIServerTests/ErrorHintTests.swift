// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import JSON
import LocalAPI
import Prompts
import Registry
import Testing
import Varlink

@testable import LocalAPIServer

@Suite("What to type next")
struct ErrorHintTests {
    private static let cases: [(error: APIError, name: String, command: String)] = [
        (
            APIError(BrokerError.loginNeeded(endpoint: "Main hall")), "org.relativityd.Broker.LoginNeeded",
            "relctl login add 'Main hall' --user USER"
        ),
        (
            APIError(BrokerError.loginRejected(login: "jane@hall", reason: "no")),
            "org.relativityd.Broker.LoginRejected", "relctl login test 'jane@hall'"
        ),
        (
            APIError(BrokerError.newLoginRejected(endpoint: "hall", reason: "no")),
            "org.relativityd.Broker.LoginRejected", "relctl login add 'hall' --user USER"
        ),
        (
            APIError(BrokerError.loginNeeded(endpoint: "Büro Süd")), "org.relativityd.Broker.LoginNeeded",
            "relctl login add 'Büro Süd' --user USER"
        ),
        (
            APIError(BrokerError.loginRejected(login: "a\u{202E}b", reason: "no")),
            "org.relativityd.Broker.LoginRejected", #"relctl login test $'a\xe2\x80\xaeb'"#
        ),
        (
            APIError(RegistryError.notManual(name: "it's here")), "org.relativityd.Registry.EndpointNotManual",
            #"relctl hide 'it'\''s here'"#
        ),
        (
            APIError(CredentialError.locked), "org.relativityd.Credentials.VaultLocked", "try 'relctl vault unlock'"
        ),
    ]

    @Test("an error for want of a login or of a passphrase has the command in its parameters", arguments: cases.indices)
    func commands(index: Int) {
        let (error, name, command) = Self.cases[index]
        #expect(error.varlinkError.name == name)
        #expect(error.varlinkError.parameters["hint"] == .string(command))
    }

    @Test("a name from the network is one word of the command")
    func quoting() {
        let error = APIError(BrokerError.loginNeeded(endpoint: "x'; rm -rf ~; '"))
        #expect(error.hint == #"relctl login add 'x'\''; rm -rf ~; '\''' --user USER"#)
    }

    @Test("a prompt that did not help leaves the error as it is, and adds why")
    func unanswered() async throws {
        var expected = APIError(CredentialError.locked)
        expected.message += ", and the prompt was dismissed"
        await #expect(throws: expected.varlinkError) {
            try await APIError.translating {
                throw UnansweredPrompt(failure: CredentialError.locked, reason: .dismissed)
            }
        }
    }
}
