// SPDX-License-Identifier: Apache-2.0

/// A language of generated code.
///
/// Names of a server are untrusted. In code they appear only as ASCII identifiers (`CodeIdentifiers`), and in string
/// literals whose quotes, backslashes and characters outside printable ASCII are escaped. They never appear in comments.
package enum CodeLanguage: String, CaseIterable, Sendable {
    /// For the package `relativity`.
    case python
    /// For the module JSON, and for programs the product LocalAPI.
    case swift
    /// For objects, without a library.
    case typescript

    /// Returns a string literal.
    func literal(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default: escape(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        func digits(_ value: UInt32, _ count: Int) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return switch self {
        case .python: "\\U" + digits(scalar.value, 8)
        case .swift: "\\u{\(String(scalar.value, radix: 16))}"
        case .typescript: Character(scalar).utf16.map { "\\u" + digits(UInt32($0), 4) }.joined()
        }
    }

    /// The words that cannot be identifiers, and the names of the language that generated code uses.
    var reserved: Set<String> { Set(words.split(separator: " ").map(String.init)) }

    private var words: String {
        switch self {
        case .python:
            """
            False None True and as assert async await break class continue def del elif else except finally for from \
            global if import in is lambda nonlocal not or pass raise return try while with yield annotations Mapping \
            dataclass datetime Decimal Any ClassVar Self UUID int bool float bytes str classmethod
            """
        case .swift:
            """
            Any Bool Double Hashable Int64 JSON JSONObject JSONShapeError JSONValue LosslessStringConvertible Protocol \
            Self Sendable String Swift Type UInt64 actor any as associatedtype async await borrowing break case catch \
            class consume consuming continue convenience copy default defer deinit didSet discard do dynamic each else \
            enum extension fallthrough false fileprivate final for func get guard hash hashValue if import in indirect \
            infix init inout internal is isolated lazy left let macro mutating nil none nonisolated nonmutating of \
            open operator optional override package postfix precedence precedencegroup prefix private protocol public \
            repeat required rethrows return right self sending set some static struct subscript super switch throw \
            throws true try typealias unowned var weak where while willSet
            """
        case .typescript:
            """
            BigInt JSON Number Object Readonly Record String TypeError abstract any arguments as async await bigint \
            boolean break case catch class const constructor continue debugger declare default delete do else enum eval \
            export extends false finally for from function get if implements import in infer instanceof interface is \
            key keyof let module namespace never new null number object of package private protected prototype public \
            readonly require return set static string super switch symbol this throw true try type typeof undefined \
            unique unknown value var void while with yield
            """
        }
    }
}

/// Makes valid and unique identifiers of ASCII letters, digits and underscores from names.
struct CodeIdentifiers {
    private let reserved: Set<String>
    private let otherwise: String
    private var used: Set<String> = []
    /// The number that was last added to a name.
    private var numbers: [String: Int] = [:]

    /// - Parameters:
    ///   - otherwise: the name instead of one without a letter or digit, and the start of one with a digit first.
    ///   - reserved: the keywords, and the names that the code uses itself.
    init(otherwise: String, reserved: Set<String>) {
        self.otherwise = otherwise
        self.reserved = reserved
    }

    /// The reserved words, and the identifiers so far.
    var taken: Set<String> { reserved.union(used) }

    /// Returns an identifier for a name, different from all earlier ones.
    mutating func add(_ name: String) -> String {
        let characters = name.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        // Python would change a name with two underscores first inside a class, and JavaScript has __proto__.
        var base = String(characters.drop { $0 == "_" })
        if base.isEmpty { base = otherwise }
        if base.first?.isNumber == true { base = "\(otherwise)_\(base)" }
        var unique = base
        if reserved.contains(unique) { unique += "_" }
        while reserved.contains(unique) || !used.insert(unique).inserted {
            let number = numbers[base, default: 1] + 1
            numbers[base] = number
            unique = "\(base)_\(number)"
        }
        return unique
    }
}
