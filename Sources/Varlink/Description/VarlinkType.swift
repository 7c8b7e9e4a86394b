// SPDX-License-Identifier: Apache-2.0

/// A type of the interface definition language.
public indirect enum VarlinkType: Sendable, Hashable {
    case bool
    case int
    case float
    case string
    /// Any JSON object, or with `any` any JSON value.
    case object
    case any
    /// Null or absent, or the type within.
    case maybe(VarlinkType)
    case array(VarlinkType)
    /// An object whose keys are free and whose values are of one type. A set of strings is a map to the empty struct.
    case map(VarlinkType)
    case `struct`([VarlinkField])
    case `enum`([String])
    /// A `type` declared in the same interface.
    case named(String)
}

/// A member of a struct, or of a method's or error's parameters.
public struct VarlinkField: Sendable, Hashable {
    public let name: String
    public let type: VarlinkType
    /// The comment lines right above, without their marks, joined by line breaks.
    public let documentation: String

    public init(name: String, type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}
