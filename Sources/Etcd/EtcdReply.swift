// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import Platform

/// Where a reply stands in the history of its cluster.
struct EtcdPosition: Sendable, Hashable {
    /// Another cluster has another history.
    var cluster: String
    /// At least 0, and of a reply less than `Int64.max`: there is a next one.
    var revision: Int64
}

/// A key with its value. Both are the choice of whoever may write there.
struct EtcdPair: Sendable, Hashable {
    var key: [UInt8]
    var value: [UInt8]
}

/// A part of a range.
struct EtcdPage: Sendable, Hashable {
    var position: EtcdPosition
    var pairs: [EtcdPair]
    /// There is more behind the last key.
    var hasMore: Bool
}

/// One piece of news of a watch.
struct EtcdNews: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case put(EtcdPair)
        case deleted(key: [UInt8])
    }

    var position: EtcdPosition
    /// The first piece: from here on the watch is on.
    var isCreated = false
    /// The last piece, with etcd's reason, which may be empty.
    var end: String?
    /// What was asked for has been compacted away up to this revision.
    var compacted: Int64?
    /// More pieces of the same revisions follow.
    var isFragment = false
    var changes: [Change] = []
}

/// Reads what etcd's gateway writes: 64-bit numbers as strings, bytes in Base64, and nothing where a value is zero.
enum EtcdReply {
    /// - Throws: `malformed` too where there is more behind a key that is none of the range: asking on would never end.
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

    /// What stands in a reply whose status is not 200.
    static func fault(_ bytes: [UInt8], limits: EtcdLimits) -> EtcdError {
        (try? object(bytes, limits)).map(fault) ?? .malformed
    }

    /// - Returns: the token of a reply to the question for one.
    static func token(_ bytes: [UInt8], limits: EtcdLimits) throws(EtcdError) -> String {
        let token = try? object(bytes, limits).string("token")
        // It goes into a header: what could end that is no token.
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
