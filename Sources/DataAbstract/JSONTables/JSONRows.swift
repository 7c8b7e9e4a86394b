// SPDX-License-Identifier: Apache-2.0

import JSON

/// Arrays of cells.
enum JSONRows {
    static func read(_ object: JSONObject, _ key: String) throws(JSONShapeError) -> [[JSONValue]] {
        var rows: [[JSONValue]] = []
        for (index, row) in try object.array(key).enumerated() {
            guard let cells = row.arrayValue else { throw JSONShapeError(path: "\(key)[\(index)]", expected: .array) }
            rows.append(cells)
        }
        return rows
    }
}
