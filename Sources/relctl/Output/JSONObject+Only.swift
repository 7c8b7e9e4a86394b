// SPDX-License-Identifier: Apache-2.0

import JSON

extension JSONObject {
    /// The object with this list and nothing else.
    func only(_ list: String) throws -> JSONObject { [list: .array(try array(list))] }
}
