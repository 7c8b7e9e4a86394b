// SPDX-License-Identifier: Apache-2.0

/// Why a text is no `.relativityClient` file. Nothing of what it holds is quoted: it could be somebody's password.
package enum RelativityClientError: Error, Hashable {
    case tooLarge(limit: Int)
    /// - Parameter reason: the XML parser's own words.
    case syntax(reason: String, line: Int)
    /// Document types are not read: they can make a small file large, and lead to other files.
    case documentType(line: Int)
    case tooDeep(limit: Int, line: Int)
    case tooLong(element: String, limit: Int, line: Int)
    case duplicate(element: String, line: Int)
    case controlCharacter(element: String, line: Int)
    /// The outermost element is another one.
    case otherDocument(line: Int)
    case outOfMemory
}

extension RelativityClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .syntax(let reason, let line): "line \(line): this is no XML: \(reason)"
        case .documentType(let line): "line \(line): a document type is not allowed"
        case .tooDeep(let limit, let line): "line \(line): elements are nested more than \(limit) deep"
        case .tooLong(let element, let limit, let line): "line \(line): \(element) is longer than \(limit) bytes"
        case .duplicate(let element, let line): "line \(line): there is a second \(element)"
        case .controlCharacter(let element, let line): "line \(line): \(element) has a control character"
        case .otherDocument(let line): "line \(line): the outermost element is not RelativityClient"
        case .outOfMemory: "there is no memory for the XML parser"
        }
    }
}
