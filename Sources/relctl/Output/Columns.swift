// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// One line of a stream: cells made printable, two spaces apart.
struct Columns {
    let text: String

    init(_ cells: [any Fact]) {
        text = cells.map(\.shown).joined(separator: "  ") + "\n"
    }
}
