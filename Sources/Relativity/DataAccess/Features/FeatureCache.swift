// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

/// The server, service and login that features belong to.
package struct FeatureKey: JSONRecord {
    /// The fingerprint of the server's pinned identity, or its ID if it has no pin.
    package let identity: String
    /// The name of the data service.
    package let service: String
    /// The name of the login; empty without a login.
    package let login: String

    /// Creates a key.
    package init(identity: String, service: String, login: String) {
        self.identity = identity
        self.service = service
        self.login = login
    }

    package static let members: [JSONMember<Self>] = [
        .init("identity", \.identity), .init("service", \.service), .init("login", \.login),
    ]
}

/// The features of servers that were found out during the last day.
package struct FeatureCache: JSONRecord {
    private struct Entry: JSONRecord {
        let key: FeatureKey
        /// Seconds since 1970.
        let time: Int64
        let features: ServerFeatures

        static let members: [JSONMember<Self>] = [
            .init("key", \.key), .init("time", \.time), .init("features", \.features),
        ]
    }

    /// The lifetime of an entry in seconds: a day.
    package static let lifetime: Int64 = 86_400
    /// The maximum number of entries. The oldest one is evicted.
    package static let maximumEntries = 200
    /// The maximum size of the file in bytes. A larger one is not read.
    package static let maximumBytes = 1 << 18

    private static let version: Int64 = 1

    private var version = FeatureCache.version
    /// The oldest first.
    private var entries: [Entry] = []

    /// Creates an empty cache.
    package init() {}

    package static let members: [JSONMember<Self>] = [.init("version", \.version), .init("entries", \.entries)]

    /// Returns the features of a key; nil if there are none, they are a day old, or they are from the future.
    ///
    /// - Parameter now: seconds since 1970.
    package func features(for key: FeatureKey, now: Int64) -> ServerFeatures? {
        entries.last { $0.key == key && Self.isFresh($0, now) }?.features
    }

    /// Replaces the features of a key, and removes entries that are too old.
    ///
    /// - Parameters:
    ///   - features: only the answers of the server are kept. Nothing is kept of a key that is too long.
    ///   - now: seconds since 1970.
    package mutating func store(_ features: ServerFeatures, for key: FeatureKey, now: Int64) {
        replace(key, with: features, time: now, now: now)
    }

    /// Adds answers to those of a key, without a longer life for these.
    ///
    /// - Parameters: as for `store`.
    package mutating func add(_ features: ServerFeatures, for key: FeatureKey, now: Int64) {
        let known = entries.last { $0.key == key && Self.isFresh($0, now) }
        var all = known?.features ?? ServerFeatures()
        all.merge(features.probed)
        replace(key, with: all, time: known?.time ?? now, now: now)
    }

    private mutating func replace(_ key: FeatureKey, with features: ServerFeatures, time: Int64, now: Int64) {
        entries.removeAll { $0.key == key || !Self.isFresh($0, now) }
        let probed = features.probed
        let length = key.identity.utf8.count + key.service.utf8.count + key.login.utf8.count
        guard !probed.isEmpty, length <= 512 else { return }
        entries.append(Entry(key: key, time: time, features: probed))
        entries.removeFirst(max(0, entries.count - Self.maximumEntries))
    }

    private static func isFresh(_ entry: Entry, _ now: Int64) -> Bool {
        entry.time <= now && entry.time > now - lifetime
    }
}

extension FeatureCache {
    /// Reads the cache from a file. A file that is missing, damaged or of another version is an empty cache.
    ///
    /// - Throws: `PlatformError` if the directory or the file cannot be used safely.
    package init(reading name: String, in directory: ProtectedDirectory) throws(PlatformError) {
        self.init()
        let bytes: [UInt8]?
        do {
            bytes = try AtomicFile.read(name, in: directory, maximumBytes: Self.maximumBytes)
        } catch .tooLarge {
            return
        }
        guard let bytes, let value = try? JSONValue(parsing: bytes),
            let cache = try? FeatureCache(jsonValue: value), cache.version == Self.version
        else { return }
        self = cache
    }

    /// Replaces the file. Concurrent writers do not damage it, but the last one wins.
    package func write(to name: String, in directory: ProtectedDirectory) throws(PlatformError) {
        var bytes: [UInt8] = []
        serialize(into: &bytes)
        try AtomicFile.write(bytes, to: name, in: directory)
    }
}
