// SPDX-License-Identifier: Apache-2.0

/// What stands before the rows of a table for each of their columns.
public struct DataColumn: Hashable, Sendable {
    /// Often the field's, but it is the place that makes a column belong to a field of the schema.
    public var name: String
    public var type: DataType
    /// As declared, in a unit that is not known; 0 for most types.
    public var size: Int32

    public init(_ name: String, _ type: DataType, size: Int32 = 0) {
        self.name = name
        self.type = type
        self.size = size
    }
}
