// SPDX-License-Identifier: Apache-2.0

/// A type of the interface definition language.
public indirect enum VarlinkType: Sendable, Hashable {
    case bool
    case int
    case float
    case string
    /// Any JSON object, while `any` is any JSON value.
    case object
    case any
    /// The inner type, null, or absent.
    case maybe(VarlinkType)
    case array(VarlinkType)
    /// An object with arbitrary keys, whose values have one type. A set of strings is a map to the empty struct.
    case map(VarlinkType)
    case `struct`([VarlinkField])
    case `enum`([String])
    /// A `type` that the same interface declares.
    case named(String)
}

/// A member of a struct, or of a method's or error's parameters.
public struct VarlinkField: Sendable, Hashable {
    /// The name of the member.
    public let name: String
    /// The type of the member.
    public let type: VarlinkType
    /// The comment lines directly above, without their marks, joined by line breaks.
    public let documentation: String

    /// A field with these values.
    public init(name: String, type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}
