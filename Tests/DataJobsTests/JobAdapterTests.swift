// SPDX-License-Identifier: Apache-2.0

import DataJobs
import JSON
import Testing

@Suite("Adapters of jobs")
struct JobAdapterTests {
    @Test("an adapter becomes an object with its three members")
    func json() {
        let adapter = JobAdapter(socket: "/run/a", service: "DataService", name: "office")
        #expect(
            adapter.json
                == .object(["socket": .string("/run/a"), "service": .string("DataService"), "name": .string("office")])
        )
    }
}
