// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform
import Varlink

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of this program and of the daemon that runs, and what it can do."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let daemon = Result {
            let client = try DaemonClient()
            let version = try client.version()
            // One that is older than this program may not be able to say.
            let reply = try? client.call(ManagerAPI.GetCapabilitiesCall())
            return (version: version, capabilities: reply?.capabilities ?? [])
        }
        let found = try? daemon.get()
        var object: JSONObject = ["relctl": .string(ProjectVersion.text)]
        object["relativityd"] = .some(found.map { .string($0.version) } ?? .null)
        object["capabilities"] = found.map { .array($0.capabilities.map { .string($0) }) }
        output.show(object, else: Self.text(found))
        _ = try daemon.get()
    }

    private static func text(_ daemon: (version: String, capabilities: [String])?) -> String {
        let own = "relctl \(ProjectVersion.text)\n"
        guard let daemon else { return own }
        let lines = ["relativityd \(daemon.version)", "capabilities " + daemon.capabilities.joined(separator: ", ")]
        return own + lines.map { Columns([$0]).text }.joined()
    }
}
