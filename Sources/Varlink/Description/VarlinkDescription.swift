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
