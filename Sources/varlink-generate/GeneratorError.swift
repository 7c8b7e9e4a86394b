// SPDX-License-Identifier: Apache-2.0

/// Why no Swift can be made of an interface.
enum GeneratorError: Error, Hashable {
    /// Two types would have this name.
    case nameTaken(String)
    /// A type holds itself without an array or a map between, so that it would have no end.
    case endless(String)
    /// The definition has what a string in Swift cannot hold as it is: `"""#`, `\#`, or a carriage return.
    case unquotable
}

extension GeneratorError: CustomStringConvertible {
    var description: String {
        switch self {
        case .nameTaken(let name): "two types would be called \(name)"
        case .endless(let name): "type \(name) holds itself without an array or a map between"
        case .unquotable: "the definition holds \"\"\"#, \\# or a carriage return, which a string in Swift cannot"
        }
    }
}
