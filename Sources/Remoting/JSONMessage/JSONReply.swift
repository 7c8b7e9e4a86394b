// SPDX-License-Identifier: Apache-2.0

import JSON
package import NIOCore

/// A reply as JSON: a result, or an error (docs/wire.md, "JSON messages").
package enum JSONReply {
    /// The class of errors that carry the real one inside.
    private static let wrapper = "ROJSONException"

    /// The values that were declared: the result first, named `Result`, then out parameters.
    ///
    /// - Parameter declared: what the method answers, in order.
    /// - Throws: `exception`; else `malformed`, `tooLarge` or `aesEnvelope`.
    package static func values(
        of bytes: ByteBuffer,
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog(),
        limits: WireLimits = .standard
    ) throws(RemotingError) -> [RemotingValue] {
        let message = try JSONText.object(bytes, limits: limits)
        if let error = message["error"]?.objectValue { throw .exception(try exception(error, catalog)) }
        let result = message["result"] ?? message["params"] ?? .null
        if let first = declared.first, declared.count == 1, !isWrapped(result, first) {
            return [try RemotingValue(result, as: first.type, catalog)]
        }
        guard !declared.isEmpty else { return [] }
        guard let members = result.objectValue else { throw .malformed(reason: "result is not an object") }
        return try members.values(declared, catalog)
    }

    /// - Parameter isWrapped: false gives a single result without an object around it, as some servers are set to do.
    package static func encode(_ values: [NamedValue], to clientID: ClientID, isWrapped: Bool = true) -> ByteBuffer {
        let members = JSONObject(values.map { ($0.name, $0.value.json()) })
        let single = values.count == 1 ? values.first?.value.json() : nil
        let result: JSONValue = isWrapped ? .object(members) : single ?? .object(members)
        return JSONText.bytes(of: ["id": .string(clientID.revealedText()), "result": result])
    }

    package static func encode(_ exception: RemotingException, to clientID: ClientID) -> ByteBuffer {
        var inner: JSONObject = ["type": .string(exception.className), "message": .string(exception.message)]
        for field in exception.fields where inner[field.name] == nil { inner[field.name] = field.value.json() }
        let error: JSONObject = [
            "name": .string(wrapper), "message": .string(exception.message), "roexception": .object(inner),
        ]
        return JSONText.bytes(of: ["id": .string(clientID.revealedText()), "error": .object(error)])
    }

    /// A struct may have a field of the result's name, but then its class stands beside it.
    private static func isWrapped(_ result: JSONValue, _ declared: NamedType) -> Bool {
        guard let members = result.objectValue, members[declared.name] != nil else { return false }
        if case .structure = declared.type { return members[JSONStruct.classKey] == nil }
        return true
    }

    private static func exception(
        _ error: JSONObject,
        _ catalog: StructCatalog
    ) throws(RemotingError) -> RemotingException {
        guard let name = error["name"]?.stringValue else { throw .malformed(reason: "error without a name") }
        let inner = error["roexception"]?.objectValue ?? [:]
        let className = name == wrapper ? inner["type"]?.stringValue ?? name : name
        let message = error["message"]?.stringValue ?? inner["message"]?.stringValue ?? ""
        let declared = catalog.fields(of: className) ?? []
        // An exception counts for more than its fields: if they do not fit, it comes without them.
        let values = (try? inner.values(declared, catalog)) ?? []
        let fields = zip(declared, values).map { NamedValue($0.name, $1) }
        return RemotingException(className: className, message: message, fields: fields)
    }
}
