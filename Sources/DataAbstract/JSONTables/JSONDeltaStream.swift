// SPDX-License-Identifier: Apache-2.0

public import JSON

/// Deltas in the vendor's JSON format, of which less is known than of `DeltaStream` (docs/wire.md, "Tables as JSON").
public struct JSONDeltaStream: Hashable, Sendable {
    public var deltas: [JSONDelta]

    public init(_ deltas: [JSONDelta]) {
        self.deltas = deltas
    }

    /// - Throws: `JSONSyntaxError`, `JSONShapeError`.
    public init(decoding text: some Collection<UInt8>, limits: JSONLimits = JSONTableStream.limits) throws {
        guard let root = try JSONValue(parsing: text, limits: limits).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        deltas = try root.objects("deltas").map { try JSONDelta($0) }
    }

    /// UTF-8. Members that were read but are not known are not in it.
    public func encoded() -> [UInt8] {
        JSONValue.object(["deltas": .array(deltas.map(\.json))]).serialized()
    }
}
