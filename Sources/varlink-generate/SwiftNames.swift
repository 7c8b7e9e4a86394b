// SPDX-License-Identifier: Apache-2.0

/// How names of an interface are spelled in Swift.
enum SwiftNames {
    private static let keywords: Set = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try",
        "typealias", "var", "where", "while",
    ]

    /// Names that generated types use inside of themselves.
    private static let taken: Set = [
        "self", "Self", "Type", "Protocol", "json", "jsonValue", "jsonShape", "hashValue", "rawValue", "allCases",
    ]

    /// A property, a parameter or a case.
    static func member(_ name: String) -> String {
        if taken.contains(name) { return name + "_" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// A method of an interface as a function or a case: `GetInfo` is `getInfo`, `URLs` is `urls`.
    static func method(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }.count
        let isAcronym = capitals > 1 && capitals < name.count && name.dropFirst(capitals).first?.isLowercase == true
        // The last capital of an acronym begins the next word, unless only a plural's "s" follows.
        let isPlural = isAcronym && name.dropFirst(capitals) == "s"
        let count = isAcronym && !isPlural ? capitals - 1 : capitals
        return member(name.prefix(count).lowercased() + name.dropFirst(count))
    }

    /// The type of a member that has none with a name: `vaultState` is `VaultState`.
    static func type(ofMember name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
