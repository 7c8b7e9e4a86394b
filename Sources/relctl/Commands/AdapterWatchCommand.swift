// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Varlink

extension AdapterCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell which adapters come and go, and why, until interrupted."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            try DaemonClient().stream("org.relativityd.Broker.Watch", output: STDOUT_FILENO) { reply in
                if output.isJSON { JSONOption.write(reply) } else { try show(reply) }
                return .next
            }
        }

        private func show(_ reply: JSONObject) throws {
            let kind = try reply.string("kind")
            if kind == "snapshot" {
                for object in try reply.objects("adapters") { try show("open", object) }
                return
            }
            try show(kind, reply.object("adapter"), because: reply.optionalString("message"))
        }

        private func show(_ word: String, _ object: JSONObject, because message: String? = nil) throws {
            let adapter = try AdapterRecord(json: object)
            let cells = [word, adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-"]
            Terminal.write(Columns(cells + (message.map { [$0] } ?? [])).text)
        }
    }
}
