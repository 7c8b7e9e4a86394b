// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import Platform
import TestSupport
import Testing

@Suite("Features of servers")
struct FeatureCacheTests {
    private let key = FeatureKey(identity: "ab", service: "DataService", login: "main")
    private let now: Int64 = 1_700_000_000

    private func features(_ reason: FeatureReason = .probed) -> ServerFeatures {
        var features = ServerFeatures()
        features[.where] = FeatureFinding(true, reason)
        features[.daSQL] = FeatureFinding(false, .probed)
        return features
    }

    @Test("features survive JSON, and unknown ones have no member")
    func json() throws {
        let text = features().jsonValue.text
        #expect(
            text == #"{"where":{"available":true,"reason":"probed"},"daSQL":{"available":false,"reason":"probed"}}"#
        )
        #expect(try ServerFeatures(jsonValue: JSONValue(parsing: text)) == features())
        #expect(throws: JSONShapeError.self) {
            try ServerFeatures(jsonValue: JSONValue(parsing: #"{"where":{"available":1,"reason":"probed"}}"#))
        }
    }

    @Test("an unknown where clause is tried, dates and null tests only if they are proven")
    func capabilities() {
        var features = ServerFeatures()
        #expect(features.whereCapabilities == [.where])
        features[.dates] = FeatureFinding(true, .probed)
        features[.nullTests] = FeatureFinding(false, .probed)
        #expect(features.whereCapabilities == [.where, .dates])
        features[.where] = FeatureFinding(false, .refusedByGrant)
        #expect(features.whereCapabilities == [])
    }

    @Test("an entry is for one server, service and login, and lives for a day")
    func lifetime() {
        var cache = FeatureCache()
        cache.store(features(), for: key, now: now)
        #expect(cache.features(for: key, now: now + 86_399) == features())
        #expect(cache.features(for: key, now: now + 86_400) == nil)
        #expect(cache.features(for: key, now: now - 1) == nil)
        for other in [
            FeatureKey(identity: "ac", service: "DataService", login: "main"),
            FeatureKey(identity: "ab", service: "DataService.Simple", login: "main"),
            FeatureKey(identity: "ab", service: "DataService", login: ""),
        ] {
            #expect(cache.features(for: other, now: now) == nil)
        }
    }

    @Test("only the answers of the server are kept")
    func reasons() {
        var cache = FeatureCache()
        cache.store(features(.refusedByGrant), for: key, now: now)
        #expect(cache.features(for: key, now: now)?[.where] == nil)
        #expect(cache.features(for: key, now: now)?.lacks(.daSQL) == true)
    }

    @Test("added answers join known ones, and live no longer")
    func adding() {
        var cache = FeatureCache()
        var learned = ServerFeatures()
        learned[.select] = FeatureFinding(false, .probed)
        learned[.events] = FeatureFinding(false, .refusedByGrant)
        cache.add(learned, for: key, now: now)
        #expect(cache.features(for: key, now: now) == learned.probed)
        cache.store(features(), for: key, now: now)
        cache.add(learned, for: key, now: now + 80_000)
        let all = cache.features(for: key, now: now + 86_399)
        #expect(all?.lacks(.select) == true && all?.has(.where) == true && all?[.events] == nil)
        #expect(cache.features(for: key, now: now + 86_400) == nil)
        cache.add(learned, for: key, now: now + 86_400)
        #expect(cache.features(for: key, now: now + 90_000) == learned.probed)
    }

    @Test("the oldest entries are evicted")
    func bound() {
        var cache = FeatureCache()
        for index in 0..<(FeatureCache.maximumEntries + 3) {
            let key = FeatureKey(identity: "\(index)", service: "s", login: "")
            cache.store(features(), for: key, now: now + Int64(index))
        }
        let last = now + Int64(FeatureCache.maximumEntries + 2)
        let kept = (0..<(FeatureCache.maximumEntries + 3)).filter { index in
            let key = FeatureKey(identity: "\(index)", service: "s", login: "")
            return cache.features(for: key, now: last) != nil
        }
        #expect(kept == Array(3..<(FeatureCache.maximumEntries + 3)))
    }

    @Test("the file survives damage")
    func file() throws {
        let folder = TemporaryDirectory()
        let directory = try ProtectedDirectory(folder.path)
        #expect(try FeatureCache(reading: "features.json", in: directory) == FeatureCache())
        var cache = FeatureCache()
        cache.store(features(), for: key, now: now)
        try cache.write(to: "features.json", in: directory)
        #expect(try FeatureCache(reading: "features.json", in: directory) == cache)
        #expect(folder.names() == ["features.json"])
        let bytes = folder.content(of: "features.json")
        folder.write(Array(bytes.dropLast(3)), to: "features.json")
        #expect(try FeatureCache(reading: "features.json", in: directory) == FeatureCache())
        folder.write(Array(repeating: 0x20, count: FeatureCache.maximumBytes + 1), to: "features.json")
        #expect(try FeatureCache(reading: "features.json", in: directory) == FeatureCache())
        folder.write(Array(#"{"version":2,"entries":[]}"#.utf8), to: "features.json")
        #expect(try FeatureCache(reading: "features.json", in: directory) == FeatureCache())
    }
}
