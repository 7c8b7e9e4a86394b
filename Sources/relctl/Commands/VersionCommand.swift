// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Varlink

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of this program and of the daemon that runs."
    )

    @OptionGroup var json: JSONOption

    func run() throws {
        let daemon = Result {
            try DaemonClient().call("org.varlink.service.GetInfo").string("version")
        }
        if json.isOn {
            let version = (try? daemon.get()).map { JSONValue.string($0) } ?? .null
            JSONOption.write(["relctl": .string(ProjectVersion.text), "relativityd": version])
        } else {
            Terminal.write("relctl \(ProjectVersion.text)\n")
            if let version = try? daemon.get() { Terminal.write(Columns(["relativityd \(version)"]).text) }
        }
        _ = try daemon.get()
    }
}
