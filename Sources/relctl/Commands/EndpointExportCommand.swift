// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

struct EndpointExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a .relativityClient file for a server.",
        discussion:
            "It holds the server's name and address, and the domain and schema that are known. It holds no login."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "The file to write, which must not be there yet; standard output by default.")
    var out: String?

    func run() throws {
        let reply = try DaemonClient().call(
            "org.relativityd.Registry.Export",
            ["endpoint": .string(endpoint)],
            within: .seconds(10)
        )
        let content = try reply.string("content")
        guard let out else {
            let shown = Terminal.outputIsTerminal ? PrintableText(content).text : content
            return output.show(["content": .string(content)], else: shown)
        }
        let descriptor = open(out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw PlatformError.system(call: "open", subject: out, errno: errno) }
        defer { close(descriptor) }
        var rest = Array(content.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PlatformError.system(call: "write", subject: out, errno: errno) }
            rest = rest.dropFirst(count)
        }
        output.tell(["file": .string(out)])
    }
}
