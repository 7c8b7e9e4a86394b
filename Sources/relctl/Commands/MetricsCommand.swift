// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the daemon's figures for a monitoring system.",
        discussion: "In the text format of Prometheus, as for the textfile collector of its node exporter."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let reply = try DaemonClient().call(ManagerAPI.GetMetricsCall())
        output.show(reply.json, else: PrintableText(reply.metrics).text)
    }
}
