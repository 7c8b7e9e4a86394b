// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import Platform

/// A request to etcd's JSON gateway: always a POST with a JSON object (etcd's API, version 3).
struct EtcdRequest: Sendable, Hashable {
    let path: String
    let body: [UInt8]

    private init(_ path: String, _ body: JSONObject) {
        self.path = path
        self.body = JSONValue.object(body).serialized()
    }

    /// Reads keys and values of a range, in the order of the keys.
    ///
    /// - Parameter revision: the state to read; nil for the latest.
    static func list(_ range: EtcdRange, revision: Int64?, limit: Int) -> EtcdRequest {
        var body = range.members
        body["limit"] = .integer(Int64(limit))
        if let revision { body["revision"] = .integer(revision) }
        return EtcdRequest("/v3/kv/range", body)
    }

    /// Reads the number of keys. It is a linearizable read, so a member that has lost its quorum is noticed.
    static func check(_ range: EtcdRange) -> EtcdRequest {
        var body = range.members
        body["count_only"] = .bool(true)
        return EtcdRequest("/v3/kv/range", body)
    }

    /// Watches all changes of a range since a revision. The reply never ends.
    static func watch(_ range: EtcdRange, from revision: Int64) -> EtcdRequest {
        var create = range.members
        create["start_revision"] = .integer(revision)
        // Large responses are split.
        create["fragment"] = .bool(true)
        return EtcdRequest("/v3/watch", ["create_request": .object(create)])
    }

    static let authenticationPath = "/v3/auth/authenticate"
}

/// The keys from `start` up to, but not including, `end`.
struct EtcdRange: Sendable, Hashable {
    let start: [UInt8]
    let end: [UInt8]

    /// All keys under `PREFIX/`. The byte after `/` is `0`.
    init(below prefix: String) {
        start = Array("\(prefix)/".utf8)
        end = Array("\(prefix)0".utf8)
    }

    private init(start: [UInt8], end: [UInt8]) {
        self.start = start
        self.end = end
    }

    /// The rest of the range after a key.
    func after(_ key: [UInt8]) -> EtcdRange { EtcdRange(start: key + [0], end: end) }

    func contains(_ key: [UInt8]) -> Bool {
        !key.lexicographicallyPrecedes(start) && key.lexicographicallyPrecedes(end)
    }

    fileprivate var members: JSONObject {
        ["key": .string(Base64.encode(start)), "range_end": .string(Base64.encode(end))]
    }
}
