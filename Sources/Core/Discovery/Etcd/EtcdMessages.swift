// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import JSON
internal import NIOCore
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

    /// Returns the rest of the range after a key.
    func after(_ key: [UInt8]) -> EtcdRange { EtcdRange(start: key + [0], end: end) }

    func contains(_ key: [UInt8]) -> Bool {
        !key.lexicographicallyPrecedes(start) && key.lexicographicallyPrecedes(end)
    }

    fileprivate var members: JSONObject {
        ["key": .string(Base64.encode(start)), "range_end": .string(Base64.encode(end))]
    }
}

/// The request for a token, as JSON. It is built byte by byte, because the password must not become a string.
struct AuthenticationBody: ~Copyable {
    /// The request's body. The sender must wipe it.
    let bytes: ByteBuffer

    private static let maximumPassword = 1_024

    /// Reads the password file. Blocks.
    ///
    /// - Throws: `EtcdError.file`
    init(_ user: EtcdUser) throws(EtcdError) {
        do throws(PlatformError) {
            let arena = try SecretArena(byteCount: Self.maximumPassword + 1)
            let password = try SecretFile.withDescriptor(of: user.passwordFile) { file throws(PlatformError) in
                try SecretLineReader.read(from: file, maximumBytes: Self.maximumPassword, in: arena)
            }
            bytes = password.withBytes { Self.json(user: user.name, password: $0) }
        } catch {
            throw .file(reason: "the password of etcd's user '\(Printable(user.name))' cannot be read: \(error)")
        }
    }

    static func json(user: String, password: UnsafeRawBufferPointer) -> ByteBuffer {
        let name = JSONValue.string(user).serialized()
        // Capacity for every byte of the password as \u00XX, so that the buffer never grows and leaves a copy in
        // freed memory.
        var buffer = ByteBufferAllocator().buffer(capacity: name.count + 6 * password.count + 32)
        buffer.writeStaticString("{\"name\":")
        buffer.writeBytes(name)
        buffer.writeStaticString(",\"password\":\"")
        for byte in password {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                buffer.writeInteger(UInt8(ascii: "\\"))
                buffer.writeInteger(byte)
            case 0..<0x20:
                buffer.writeStaticString("\\u00")
                buffer.writeInteger(UInt8(ascii: "0") + (byte >> 4))
                let digit = byte & 0xF
                buffer.writeInteger(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            default:
                buffer.writeInteger(byte)
            }
        }
        buffer.writeStaticString("\"}")
        return buffer
    }
}

/// The position of a reply in the history of its cluster.
struct EtcdPosition: Sendable, Hashable {
    /// The cluster's ID. Another cluster has another history.
    var cluster: String
    /// At least 0. In a reply it is less than `Int64.max`, so that there is a next one.
    var revision: Int64
}

/// A key with its value. Any client that may write to etcd chooses both.
struct EtcdPair: Sendable, Hashable {
    var key: [UInt8]
    var value: [UInt8]
}

/// A page of a range.
struct EtcdPage: Sendable, Hashable {
    var position: EtcdPosition
    var pairs: [EtcdPair]
    /// Whether more keys follow the last one.
    var hasMore: Bool
}

/// A response of a watch.
struct EtcdNews: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case put(EtcdPair)
        case deleted(key: [UInt8])
    }

    var position: EtcdPosition
    /// Whether it is the first response: the watch is now active.
    var isCreated = false
    /// The reason of etcd in the last response, which may be empty; nil in other responses.
    var end: String?
    /// The revision up to which the history was removed; nil unless the requested revision was compacted.
    var compacted: Int64?
    /// Whether more responses with the same revisions follow.
    var isFragment = false
    var changes: [Change] = []
    /// The revision of the last of `changes`; nil without changes. While a watch catches up, etcd sends the changes in
    /// batches, and `position` of each batch is the newest revision of all.
    var lastRevision: Int64?
}

/// Parses the JSON of etcd's gateway: 64-bit numbers are strings, bytes are Base64, and members with a zero value are
/// left out.
enum EtcdReply {
    /// Parses one page of a range.
    ///
    /// - Throws: `malformed`, also if more keys follow but the last key is outside the range, because reading would
    ///   never end.
    static func page(_ bytes: [UInt8], of range: EtcdRange, limits: EtcdLimits) throws(EtcdError) -> EtcdPage {
        let object = try object(bytes, limits)
        let page: EtcdPage
        do {
            page = EtcdPage(
                position: try position(object),
                pairs: try (object.optionalObjects("kvs") ?? []).map(pair),
                hasMore: try object.optionalBool("more") ?? false
            )
        } catch {
            throw .malformed
        }
        guard !page.hasMore || page.pairs.last.map({ range.contains($0.key) }) == true else { throw .malformed }
        return page
    }

    static func news(_ line: [UInt8], limits: EtcdLimits) throws(EtcdError) -> EtcdNews {
        let object = try object(line, limits)
        if let failure = try? object.optionalObject("error") { throw fault(failure) }
        do {
            let result = try object.object("result")
            let isCancelled = try result.optionalBool("canceled") ?? false
            let events = try result.optionalObjects("events") ?? []
            return EtcdNews(
                position: try position(result),
                isCreated: try result.optionalBool("created") ?? false,
                end: isCancelled ? try result.optionalString("cancel_reason") ?? "" : nil,
                compacted: try revision(result, "compact_revision"),
                isFragment: try result.optionalBool("fragment") ?? false,
                changes: try events.map(change),
                lastRevision: try events.last.flatMap { try revision($0.object("kv"), "mod_revision") }
            )
        } catch {
            throw .malformed
        }
    }

    /// Returns the error in a reply whose status is not 200.
    static func fault(_ bytes: [UInt8], limits: EtcdLimits) -> EtcdError {
        (try? object(bytes, limits)).map(fault) ?? .malformed
    }

    /// - Returns: the token in the reply to an authentication request.
    static func token(_ bytes: [UInt8], limits: EtcdLimits) throws(EtcdError) -> String {
        let token = try? object(bytes, limits).string("token")
        // The token is sent in a header, so a character that could end the header is not allowed.
        guard let token, (1...4_096).contains(token.utf8.count), token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw .malformed
        }
        return token
    }

    private static func object(_ bytes: [UInt8], _ limits: EtcdLimits) throws(EtcdError) -> JSONObject {
        let bounds = JSONLimits(depth: 8, bytes: limits.messageBytes, values: 1 << 18, marks: 64)
        guard let object = (try? JSONValue(parsing: bytes, limits: bounds))?.objectValue else { throw .malformed }
        return object
    }

    private static func fault(_ object: JSONObject) -> EtcdError {
        let message = (try? object.optionalString("message")) ?? (try? object.optionalString("error")) ?? ""
        let code = (try? object.optionalInteger("code")) ?? (try? object.optionalInteger("grpc_code")) ?? 2
        return .refused(code: Int(code), message: message)
    }

    private static func position(_ object: JSONObject) throws -> EtcdPosition {
        let header = try object.object("header")
        return EtcdPosition(
            cluster: try header.optionalString("cluster_id") ?? "",
            revision: try revision(header, "revision") ?? 0
        )
    }

    private static func revision(_ object: JSONObject, _ key: String) throws -> Int64? {
        guard let text = try object.optionalString(key) else { return nil }
        guard let revision = Int64(text), (0..<Int64.max).contains(revision) else { throw EtcdError.malformed }
        return revision
    }

    private static func change(_ object: JSONObject) throws -> EtcdNews.Change {
        let pair = try pair(object.object("kv"))
        return try object.optionalString("type") == "DELETE" ? .deleted(key: pair.key) : .put(pair)
    }

    private static func pair(_ object: JSONObject) throws -> EtcdPair {
        guard let key = Base64.decode(try object.string("key")),
            let value = Base64.decode(try object.optionalString("value") ?? "")
        else { throw EtcdError.malformed }
        return EtcdPair(key: key, value: value)
    }
}
