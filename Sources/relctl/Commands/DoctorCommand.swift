// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps servers from being found, and say what helps.",
        discussion: "Works without a daemon. Exits with 1 if there is a fault."
    )

    @OptionGroup var json: JSONOption

    func run() throws {
        let diagnosis = Diagnosis(.gathered(.ofProcess()))
        if json.isOn {
            JSONOption.write([
                "healthy": .bool(diagnosis.isHealthy),
                "findings": .array(diagnosis.findings.map(\.json)),
            ])
        } else {
            for finding in diagnosis.findings { Terminal.write(Self.text(finding)) }
        }
        guard !diagnosis.isHealthy else { return }
        throw Failure(
            .failed,
            "\(diagnosis.findings.count { $0.verdict == .fault }) faults were found",
            hint: "each finding names its remedy"
        )
    }

    private static func text(_ finding: Finding) -> String {
        var text = Columns([finding.verdict.rawValue, finding.check, finding.finding]).text
        if let evidence = finding.evidence { text += "    seen: \(Printable(evidence))\n" }
        if let remedy = finding.remedy { text += "    try:  \(Printable(remedy))\n" }
        return text
    }
}
