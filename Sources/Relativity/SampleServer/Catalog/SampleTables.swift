// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The tables of the built-in schemas except the trading company's.
enum SampleTables {
    static let roles = ["Developer", "Developer", "Analyst", "Manager", "Tester", "Administrator"]

    static let simple = [
        SampleTable(
            "Deps",
            "DepId AutoInc key, DepName WideString(50) required, DepPhone WideString(20)",
            [
                [.integer(1), .text("Sales"), .text("+1 555 0100")],
                [.integer(2), .text("Support"), .text("+1 555 0101")],
                [.integer(3), .text("Development"), .text("+1 555 0102")], [.integer(4), .text("Accounting"), .null],
            ]
        ),
        SampleTable(
            "Users",
            "Id AutoInc key, Name WideString(50) required, Role WideString(30) =Developer, Type Integer",
            rows: 30,
            growth: 1,
            user
        ),
    ]

    static let workers = [
        SampleTable(
            "Workers",
            """
            WorkerID AutoInc key, WorkerFirstName WideString(50) required, WorkerLastName WideString(50) required,
            WorkerPosition WideString(50)
            """,
            rows: 12,
            growth: 1,
            worker
        )
    ]

    @Sendable static func worker(_ row: Int) -> [DataValue] {
        let positions = ["Sales representative", "Warehouse clerk", "Accountant", "Driver", "Director"]
        return [
            .integer(Int64(row)), .text(firstName(row)), .text(lastName(row)), .text(MadeUp.choice(row, 3, positions)),
        ]
    }

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
}
