// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@testable import relctl

@Suite("Limits in relctl status")
struct LimitsMetTests {
    private func text(_ met: JSONObject) throws -> String? {
        var status: JSONObject = [
            "version": "1", "pid": 1, "uptimeSeconds": 1, "sources": [], "multicastInterfaces": [], "endpoints": 0,
            "droppedSightings": 0, "malformedSightings": 0, "cutSightings": 0, "evictedEndpoints": 0,
            "foldedChanges": 0, "refusedAddresses": 0, "vault": "absent", "sessions": 0, "adapters": 0, "notes": [],
        ]
        for (name, value) in met { status[name] = value }
        return LimitsMet(try ManagerAPI.Status(json: status)).text
    }

    @Test("status lists exactly the limits that were reached, each with its own text")
    func words() throws {
        #expect(try text([:]) == nil)
        #expect(try text(["evictedEndpoints": 3]) == "3 endpoints evicted")
        #expect(
            try text(["droppedSightings": 1, "malformedSightings": 2, "cutSightings": 3])
                == "1 sightings dropped (list full), 2 malformed sightings, 3 sightings with a shortened TXT record"
        )
        #expect(
            try text(["foldedChanges": 5, "refusedAddresses": 4])
                == "4 forbidden addresses refused, 5 changes merged with newer ones"
        )
    }
}
