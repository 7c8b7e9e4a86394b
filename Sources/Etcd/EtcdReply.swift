// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import Platform

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

/// One page of a range.
struct EtcdPage: Sendable, Hashable {
    var position: EtcdPosition
    var pairs: [EtcdPair]
    /// Whether more keys follow the last one.
    var hasMore: Bool
}

/// One response of a watch.
struct EtcdNews: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case put(EtcdPair)
        case deleted(key: [UInt8])
    }

    var position: EtcdPosition
    /// Whether it is the first response: the watch is now active.
    var isCreated = false
    /// Set in the last response: etcd's reason, which may be empty.
    var end: String?
    /// Set if the requested revision was compacted: the revision up to which the history is gone.
    var compacted: Int64?
    /// Whether more responses with the same revisions follow.
    var isFragment = false
    var changes: [Change] = []
}

/// Parses the JSON of etcd's gateway: 64-bit numbers are strings, bytes are Base64, and members with a zero value are
/// left out.
enum EtcdReply {
    /// - Throws: `malformed`, also if more keys follow but the last key is outside the range: reading on would never
    ///   end.
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
            return EtcdNews(
                position: try position(result),
                isCreated: try result.optionalBool("created") ?? false,
                end: isCancelled ? try result.optionalString("cancel_reason") ?? "" : nil,
                compacted: try revision(result, "compact_revision"),
                isFragment: try result.optionalBool("fragment") ?? false,
                changes: try (result.optionalObjects("events") ?? []).map(change)
            )
        } catch {
            throw .malformed
        }
    }

    /// The error in a reply whose status is not 200.
    static func fault(_ bytes: [UInt8], limits: EtcdLimits) -> EtcdError {
        (try? object(bytes, limits)).map(fault) ?? .malformed
    }

    /// - Returns: the token in the reply to an authentication request.
    static func token(_ bytes: [UInt8], limits: EtcdLimits) throws(EtcdError) -> String {
        let token = try? object(bytes, limits).string("token")
        // It is sent in a header, so a character that could end the header is not allowed.
        guard let token, (1...4_096).contains(token.utf8.count), token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw .malformed
        }
        return token
    }

    private static func object(_ bytes: [UInt8], _ limits: EtcdLimits) throws(EtcdError) -> JSONObject {
        let bounds = JSONLimits(depth: 8, bytes: limits.messageBytes, values: 1 << 18)
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
