// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

struct WireCaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Write a report on how a server behaves, to send to whoever works on relativityd.",
        discussion: """
            Makes a handful of calls and writes down what came back, without passwords and sessions. Look at the file \
            before you send it: the texts of the server's exceptions are in it.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "The file to write, which must not be there yet.")
    var out: String
    @Option(help: "The name of a login, where the endpoint has several.", completion: LiveNames.logins)
    var login: String?
    @Flag(help: "Send no login.")
    var anonymous = false
    @Flag(help: "Send a wrong password once too: a server may lock an account after some of these.")
    var tryWrongPassword = false

    func validate() throws {
        if anonymous, login != nil || tryWrongPassword {
            throw ValidationError("--anonymous excludes --login and --try-wrong-password")
        }
    }

    func run() throws {
        // Before anything is sent: a path that cannot be written costs no login.
        let file = try NewFile(out, mode: 0o600)
        do {
            let record = try RegistryAPI.Endpoint.fetch(endpoint, DaemonClient())
            let call = BrokerAPI.CaptureCall(
                endpoint: record.id,
                login: login,
                anonymous: anonymous,
                wrongPassword: tryWrongPassword
            )
            let reply = try output.client("calling the server").call(call, within: DaemonClient.ofPerson)
            try file.write(Array(CaptureReport(record, reply.exchanges).text.utf8))
        } catch {
            file.remove()
            throw error
        }
        output.tell(["file": .string(out)], else: "wrote \(Printable(out)): look at it, then send it\n")
    }
}
