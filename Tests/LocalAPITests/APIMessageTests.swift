// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@Suite("Records of the API")
struct APIMessageTests {
    @Test("records survive the round trip through text", arguments: Records.all)
    func roundTrip(record: Records.Sample) throws {
        for json in [record.full, record.least] {
            let text = JSONValue.object(json).serialized(.compact)
            let read = try #require(try JSONValue(parsing: text).objectValue)
            #expect(try record.rewritten(read) == json)
        }
    }

    @Test("unknown members of newer daemons are ignored", arguments: Records.all)
    func unknown(record: Records.Sample) throws {
        var json = record.full
        json["brandNew"] = ["a": 1]
        #expect(try record.rewritten(json) == record.full)
    }

    @Test("the error names a member that is missing or has another type", arguments: Records.all)
    func shape(record: Records.Sample) throws {
        for (key, _) in record.full {
            var json = record.full
            json[key] = .number(0.5)
            let error = try #require(throws: JSONShapeError.self) { try record.rewritten(json) }
            #expect(error.path == key)
        }
        for (key, _) in record.least {
            var json = record.least
            json[key] = nil
            let error = try #require(throws: JSONShapeError.self) { try record.rewritten(json) }
            #expect(error.path == key)
        }
    }
}
