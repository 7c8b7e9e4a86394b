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
            try DaemonClient().streamJSON(BrokerAPI.WatchCall(), output: STDOUT_FILENO) { reply in
                if output.isJSON { JSONOption.write(reply) } else { show(try BrokerAPI.WatchReply(json: reply)) }
                return .next
            }
        }

        private func show(_ reply: BrokerAPI.WatchReply) {
            for adapter in reply.adapters ?? [] { show("open", adapter) }
            if let adapter = reply.adapter { show(reply.kind, adapter, because: reply.message) }
        }

        private func show(_ word: String, _ adapter: BrokerAPI.Adapter, because message: String? = nil) {
            let cells = [Moment.now.clock, word, adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-"]
            Terminal.write(Columns(cells + (message.map { [$0] } ?? [])).text)
        }
    }
}
