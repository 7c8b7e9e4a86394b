// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Testing

@Suite("Table queries")
struct TableQueryTests {
    @Test("a new query asks for everything")
    func everything() {
        let query = TableQuery("Deps")
        #expect(query.fields.isEmpty && query.predicate == nil && query.order.isEmpty && query.limit == nil)
    }
}
