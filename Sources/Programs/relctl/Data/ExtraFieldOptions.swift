// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

/// Fields that are added to the rows of a table.
struct ExtraFieldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Add a field of another table, found by a key; may be repeated.",
            valueName: "name=field:table.key:shown"
        )
    )
    var lookup: [String] = []
    @Option(
        help: ArgumentHelp(
            "Add a field with the value of an expression; NAME:TYPE=EXPRESSION names its type. May be repeated.",
            valueName: "name=expression"
        )
    )
    var calc: [String] = []
    @Option(
        help: ArgumentHelp(
            "A reference between tables, for --calc; by default those of the schema. May be repeated.",
            valueName: "detail.field=master.field"
        )
    )
    var ref: [String] = []

    @Option(
        help: ArgumentHelp("Add the fields that this file of TOML has for the table.", valueName: "file"),
        completion: .file()
    )
    var views: String?

    /// Whether the options have no field for one table.
    var isEmpty: Bool { lookup.isEmpty && calc.isEmpty }

    func apply(to job: inout DataJob) throws {
        job.rows.views = try views.map { try InputText.read($0) }
        (job.rows.lookups, job.rows.calculated, job.rows.references) = (lookup, calc, ref)
    }
}
