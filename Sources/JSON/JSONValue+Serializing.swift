// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Appends the value as UTF-8. Members keep their order; a NaN or an infinity, which JSON lacks, becomes `null`.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        var writer = JSONWriter(bytes: bytes, style: style)
        bytes = []
        write(to: &writer)
        bytes = writer.bytes
    }

    /// The value as UTF-8, as `serialize(into:style:)` writes it.
    public func serialized(_ style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(bytes: [], style: style)
        writer.bytes.reserveCapacity(256)
        write(to: &writer)
        return writer.bytes
    }

    /// The value on one line.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }

    /// The value over several lines, without a line break at the end.
    public var prettyText: String { String(decoding: serialized(.pretty), as: UTF8.self) }
}

extension JSONObject {
    /// Appends the object as UTF-8, as `JSONValue.serialize(into:style:)` does.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        JSONValue.object(self).serialize(into: &bytes, style: style)
    }

    /// The object on one line.
    public var text: String { JSONValue.object(self).text }
}
