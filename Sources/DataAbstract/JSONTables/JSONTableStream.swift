// SPDX-License-Identifier: Apache-2.0

public import JSON

/// Tables in the vendor's JSON format, of which less is known than of `TableStream` (docs/wire.md, "Tables as JSON").
public struct JSONTableStream: Hashable, Sendable {
    /// 64 MiB, 4,194,304 values, 16 levels.
    public static let limits = JSONLimits(depth: 16, bytes: 64 << 20, values: 1 << 22)

    public var tables: [JSONTable]

    public init(_ tables: [JSONTable]) {
        self.tables = tables
    }

    /// - Throws: `JSONSyntaxError`, `JSONShapeError`.
    public init(decoding text: some Collection<UInt8>, limits: JSONLimits = limits) throws {
        guard let root = try JSONValue(parsing: text, limits: limits).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        tables = try root.objects("datasets").map { try JSONTable($0) }
    }

    /// UTF-8. Members that were read but are not known are not in it.
    public func encoded() -> [UInt8] {
        JSONValue.object(["datasets": .array(tables.map(\.json))]).serialized()
    }
}
