// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct EndpointProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Look now whether a server is alive.",
        discussion:
            "Connects to it, for https as far as the TLS handshake. No login is sent, and over plain HTTP nothing."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let reply = try output.client("connecting to the server").call(
            RegistryAPI.ProbeCall(endpoint: endpoint),
            within: .seconds(10)
        )
        let probe = reply.probe
        if output.isJSON { JSONOption.write(probe.json) }
        switch probe.outcome {
        case .reachable:
            if !output.isJSON { output.tell(probe.json, else: "reachable, \(probe.milliseconds) ms\n") }
        case .unreachable:
            throw Failure(
                .unreachable,
                "the server cannot be reached: \(probe.why) (\(probe.milliseconds) ms)",
                hint: "relctl doctor \(endpoint)"
            )
        case .conflict: throw Self.conflict(endpoint, probe)
        }
    }

    static func conflict(_ endpoint: String, _ probe: RegistryAPI.Probe) -> Failure {
        Failure(
            .identityConflict,
            "this is not the server that the endpoint is pinned to: \(probe.why)",
            hint: "relctl endpoint repin \(endpoint)"
        )
    }
}
