// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

@Suite("Detection that Avahi's cache is too small")
struct CacheShortageTests {
    @Test(
        "a shortage is reported if the services fill the cache, or half of it and some have no result",
        arguments: [
            (instances: 1_357, silent: 0, isShort: true), (1_229, 0, true), (1_000, 0, false), (1_000, 1, true),
            (600, 9, false), (0, 0, false), (.max, 0, true),
        ]
    )
    func verdict(instances: Int, silent: Int, isShort: Bool) {
        #expect((CacheShortage(instances: instances, silent: silent, limit: 4_096) != nil) == isShort)
    }

    @Test("the remedy is a cache for four times as many services")
    func remedy() throws {
        let shortage = try #require(CacheShortage(instances: 1_360, silent: 0, limit: 4_096))
        #expect(shortage.remedy == 16_384)
        #expect(shortage.limit == 4_096)
        #expect(CacheShortage(instances: .max, silent: 0, limit: .max) == nil)
        #expect(try #require(CacheShortage(instances: .max, silent: 0, limit: 1)).remedy < Int32.max, "bounded")
        #expect(CacheShortage(instances: 1, silent: 0, limit: 0) == nil)
    }

    @Test("the size of the cache is read from its section of the configuration, and defaults to Avahi's value")
    func configuration() {
        #expect(AvahiConfiguration("[server]\n cache-entries-max = 65536 \n").cacheEntries == 65_536)
        #expect(AvahiConfiguration("[server]\n#cache-entries-max=9\n").cacheEntries == 4_096)
        #expect(AvahiConfiguration("cache-entries-max=9\n[publish]\ncache-entries-max=9").cacheEntries == 4_096)
        #expect(AvahiConfiguration("[server]\ncache-entries-max=many\n").cacheEntries == 4_096)
        #expect(AvahiConfiguration("").cacheEntries == 4_096)
    }
}
