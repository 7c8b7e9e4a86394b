// SPDX-License-Identifier: Apache-2.0

/// An interface as its definition text declares it.
public struct VarlinkDescription: Sendable, Hashable {
    /// A `type` or an `error` declaration.
    public struct Declaration: Sendable, Hashable {
        /// The declared name.
        public let name: String
        /// The declared type; for an error, a struct of its parameters.
        public let type: VarlinkType
        /// The comment lines directly above, without their marks, joined by line breaks.
        public let documentation: String
    }

    /// A `method` declaration.
    public struct Method: Sendable, Hashable {
        /// The name without the interface.
        public let name: String
        /// The parameters of a call.
        public let input: [VarlinkField]
        /// The parameters of a reply.
        public let output: [VarlinkField]
        /// The comment lines directly above, without their marks, joined by line breaks.
        public let documentation: String
    }

    /// The name in reverse-domain form, such as `org.varlink.service`.
    public let name: String

    /// The comment lines directly above `interface`, without their marks, joined by line breaks.
    public let documentation: String

    /// The `type` declarations, in the order of the text.
    public internal(set) var types: [Declaration] = []
    /// The `method` declarations, in the order of the text.
    public internal(set) var methods: [Method] = []
    /// The `error` declarations, in the order of the text.
    public internal(set) var errors: [Declaration] = []

    init(name: String, documentation: String) {
        self.name = name
        self.documentation = documentation
    }

    /// Parses an interface definition of up to 1 MiB, whose types nest up to 32 deep.
    ///
    /// Every named type must be declared in the text. Types and errors share one namespace without duplicates,
    /// methods have another.
    public init(parsing text: String) throws(VarlinkDescriptionError) {
        var parser = VarlinkDescriptionParser(text)
        self = try parser.parseInterface()
    }
}

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

/// The syntax of names in the interface definition language.
enum VarlinkName {
    /// Two or more labels joined by dots, the first starting with a letter. Labels are letters, digits and inner
    /// hyphens.
    static func isInterface(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, name.utf8.count <= 255, let first = name.utf8.first, isLetter(first) else {
            return false
        }
        return labels.allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return isAlphanumeric(first) && isAlphanumeric(last)
                && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Methods, types and errors: an upper-case letter, then letters and digits.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) && name.utf8.allSatisfy(isAlphanumeric)
    }

    /// Fields and enum values: a letter, then letters, digits and single inner underscores.
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, let last = name.utf8.last else { return false }
        return isLetter(first) && isAlphanumeric(last)
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// The reason why a text is not an interface definition.
public struct VarlinkDescriptionError: Error, Hashable {
    /// The kind of mistake.
    public enum Reason: Sendable, Hashable {
        case tooLong
        case tooDeep
        case expected(String)
        case invalidName(String)
        case duplicate(String)
        case undeclaredType(String)
    }

    /// The line number, counted from 1.
    public let line: Int

    /// The mistake in this line.
    public let reason: Reason
}

extension VarlinkDescriptionError: CustomStringConvertible {
    /// The mistake with its line, as a fragment of a sentence.
    public var description: String {
        switch reason {
        case .tooLong: "definition longer than allowed"
        case .tooDeep: "line \(line): types nested deeper than allowed"
        case .expected(let what): "line \(line): \(what) expected"
        case .invalidName(let name): "line \(line): \"\(name)\" is no valid name"
        case .duplicate(let name): "line \(line): \(name) is declared twice"
        case .undeclaredType(let name): "line \(line): type \(name) is not declared"
        }
    }
}
