// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The tables of the built-in schemas except the trading company's.
enum SampleTables {
    static let roles = ["Developer", "Developer", "Analyst", "Manager", "Tester", "Administrator"]

    static let simple = [
        SampleTable(
            ServedTable(
                "Deps",
                [
                    .key("DepId"), ServedField("DepName", .wideString, size: 50, isRequired: true),
                    ServedField("DepPhone", .wideString, size: 20),
                ]
            ),
            [
                [.integer(1), .text("Sales"), .text("+1 555 0100")],
                [.integer(2), .text("Support"), .text("+1 555 0101")],
                [.integer(3), .text("Development"), .text("+1 555 0102")], [.integer(4), .text("Accounting"), .null],
            ]
        ),
        SampleTable(
            ServedTable(
                "Users",
                [
                    .key("Id"), ServedField("Name", .wideString, size: 50, isRequired: true),
                    ServedField("Role", .wideString, size: 30, defaultValue: "Developer"),
                    ServedField("Type", .integer),
                ]
            ),
            rows: 30,
            growth: 1,
            user
        ),
    ]

    static let workers = [
        SampleTable(
            ServedTable(
                "Workers",
                [
                    .key("WorkerID"), ServedField("WorkerFirstName", .wideString, size: 50, isRequired: true),
                    ServedField("WorkerLastName", .wideString, size: 50, isRequired: true),
                    ServedField("WorkerPosition", .wideString, size: 50),
                ]
            ),
            rows: 12,
            growth: 1
        ) { row in
            [.integer(Int64(row)), .text(firstName(row)), .text(lastName(row)), .text(position(row))]
        }
    ]

    /// The first five rows are those of earlier versions.
    @Sendable private static func user(_ row: Int) -> [DataValue] {
        let id = DataValue.integer(Int64(row))
        let early: [(role: String?, type: Int64?)] = [
            ("Developer", 1), ("Developer", 1), ("Analyst", 2), ("Manager", 3), (nil, nil),
        ]
        if row <= early.count {
            let (role, type) = early[row - 1]
            return [id, .text(firstName(row)), role.map { .text($0) } ?? .null, type.map { .integer($0) } ?? .null]
        }
        // The vendor's sample DynamicWhere looks for a manager whose name begins with J.
        let number = row == 15 ? 3 : MadeUp.number(row, 1, below: roles.count)
        // Names repeat after 30 rows, so a number makes them unique.
        let round = (row - 1) / MadeUp.firstNames.count
        return [
            id, .text(firstName(row) + (round == 0 ? "" : " \(round + 1)")), .text(roles[number]),
            .integer(Int64(number / 2 + 1)),
        ]
    }

    static func firstName(_ row: Int) -> String { MadeUp.firstNames[(row - 1) % MadeUp.firstNames.count] }

    static func lastName(_ row: Int) -> String { MadeUp.choice(row, 2, MadeUp.lastNames) }

    static func position(_ row: Int) -> String {
        MadeUp.choice(row, 3, ["Sales representative", "Warehouse clerk", "Accountant", "Driver", "Director"])
    }
}

extension ServedField {
    /// An integer key that the database assigns.
    static func key(_ name: String) -> ServedField {
        ServedField(name, .autoInc, isInPrimaryKey: true, isRequired: true)
    }
}
