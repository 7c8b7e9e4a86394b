// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// Downloads all kept sets again. It never prompts: sets whose login cannot be used now are skipped.
struct KeptRefresh {
    /// The outcome for one set.
    enum Outcome: String {
        case refreshed
        /// Changes are in conflict, or were not accepted.
        case incomplete
        /// The vault is locked, or cannot be opened without a prompt.
        case skipped
        case unreachable
        case failed

        /// - Parameter status: the exit status of the helper.
        init(_ status: Int32) {
            self =
                switch ExitStatus(rawValue: status) {
                case .done?: .refreshed
                case .someFailed?: .incomplete
                case .vaultLocked?: .skipped
                case .unreachable?: .unreachable
                default: .failed
                }
        }

        init(_ code: DaemonError.Code) {
            self =
                switch code {
                case .vaultAbsent, .vaultLocked, .providerUnavailable: .skipped
                case .endpointUnreachable: .unreachable
                default: .failed
                }
        }

        /// The exit status for the outcomes of all sets. A server that is away is the usual reason for kept tables, so that
        /// other failures take precedence.
        static func status(_ outcomes: [Outcome]) -> ExitStatus {
            if outcomes.contains(where: { $0 == .failed || $0 == .incomplete }) { return .someFailed }
            return outcomes.contains(.unreachable) ? .unreachable : .done
        }
    }

    private static let mostBytes = 64 << 20
    /// A set may have a million changes.
    private static let limits = JSONLimits(bytes: mostBytes, values: .max)
    private static let interrupts = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    let job: DataJob
    let output: OutputOptions

    func run() throws -> ExitStatus {
        let places = try KeptTables.places(output)
        if places.isEmpty { output.note("relctl: note: no tables are kept\n") }
        let results = try places.map(refresh)
        if output.isJSON { JSONOption.write(["kept": .array(results.map { .object($0.json) })]) }
        return Outcome.status(results.map(\.outcome))
    }

    private func refresh(_ place: KeptTables.Place) throws -> (outcome: Outcome, json: JSONObject) {
        var json: JSONObject = [
            "endpoint": .string(place.endpoint), "name": .string(place.name), "service": .string(place.service),
        ]
        let title = "\(Printable(place.name)), \(Printable(place.service))"
        var outcome = Outcome.failed
        do {
            let server = DataPlace(
                endpoint: place.endpoint,
                login: place.login,
                isAnonymous: place.login == nil,
                service: place.service
            )
            try DataProgram.with([server.keeping], output) { program in
                var job = job
                job.briefcase.path = place.path
                if !output.isJSON, !output.isQuiet { Terminal.write("\(title):\n") }
                let (status, reply) =
                    output.isJSON
                    ? try program.output(of: job, maximumBytes: Self.mostBytes) : (try program.run(job), [])
                RunningProgram.releaseSignals()
                // A helper that was killed or has crashed does not end the refresh of other sets.
                if Self.interrupts.contains(status - 128) { exit(status) }
                if status > 128 {
                    Terminal.writeError("relctl: error: \(title): signal \(status - 128) ended relativityd-data\n")
                }
                outcome = Outcome(status)
                guard !reply.isEmpty else { return }
                let members = try JSONValue(parsing: reply, limits: Self.limits).objectValue ?? [:]
                for (name, value) in members where name != "schemaVersion" { json[name] = value }
            }
        } catch let error as DaemonError {
            outcome = Outcome(error.code)
            let text = PrintableText(error.message).text
            json["message"] = .string(error.message)
            switch outcome {
            case .skipped, .unreachable: output.note("relctl: note: \(title): not refreshed: \(text)\n")
            default: Terminal.writeError("relctl: error: \(title): \(text)\n")
            }
        }
        json["outcome"] = .string(outcome.rawValue)
        return (outcome, json)
    }
}
