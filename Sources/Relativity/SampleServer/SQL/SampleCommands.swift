// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The commands of the built-in schemas.
enum SampleCommands {
    static func of(_ set: SampleSet) -> [ServedCommand] {
        switch set {
        case .simple:
            [
                ServedCommand(
                    "SetDepPhone",
                    [.init("DepId", .integer), .init("Phone", .wideString)],
                    statement: #"UPDATE "Deps" SET "DepPhone" = :Phone WHERE "DepId" = :DepId"#
                ),
                ServedCommand(
                    "CountUsers",
                    [.init("Role", .wideString), .init("Count", .integer, .out)],
                    statement: nil,
                    output: #"SELECT count(*) AS "Count" FROM "Users" WHERE "Role" = :Role"#
                ),
            ]
        case .trade:
            [
                ServedCommand(
                    "SetOrderStatus",
                    [.init("Id", .integer), .init("Status", .integer), .init("Amount", .currency, .out)],
                    statement: #"UPDATE "Orders" SET "Status" = :Status WHERE "Id" = :Id"#,
                    output: #"SELECT "Amount" FROM "Orders" WHERE "Id" = :Id"#
                )
            ]
        case .trade2011, .workers: []
        }
    }
}
