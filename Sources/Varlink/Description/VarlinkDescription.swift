// SPDX-License-Identifier: Apache-2.0

/// An interface as its definition text declares it.
public struct VarlinkDescription: Sendable, Hashable {
    /// A `type` or an `error` declaration.
    public struct Declaration: Sendable, Hashable {
        public let name: String
        public let type: VarlinkType
        /// The comment lines right above, without their marks, joined by line breaks.
        public let documentation: String
    }

    /// A `method` declaration.
    public struct Method: Sendable, Hashable {
        public let name: String
        public let input: [VarlinkField]
        public let output: [VarlinkField]
        /// The comment lines right above, without their marks, joined by line breaks.
        public let documentation: String
    }

    /// In reverse-domain form, such as `org.varlink.service`.
    public let name: String

    /// The comment lines right above `interface`.
    public let documentation: String

    public internal(set) var types: [Declaration] = []
    public internal(set) var methods: [Method] = []
    public internal(set) var errors: [Declaration] = []

    init(name: String, documentation: String) {
        self.name = name
        self.documentation = documentation
    }

    /// Reads the text of an interface definition of up to 1 MiB, whose types nest up to 32 deep.
    ///
    /// Every named type must be declared in the text, and no name of one kind twice.
    public init(parsing text: String) throws(VarlinkDescriptionError) {
        var parser = VarlinkDescriptionParser(text)
        self = try parser.parseInterface()
    }
}
