// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// What a `.relativityClient` file of the vendor says: which server a client talks to, and as whom.
///
/// The vendor's tools keep passwords in another file. What stands inside AdminLogin and DataLogin besides a user's name
/// is therefore not read.
package struct RelativityClientFile: Sendable, Hashable {
    package static let maximumBytes = 64 << 10

    /// The announced instance name; the URI goes before it.
    package var serverName: String?
    /// As it stands there, unchecked.
    package var serverURI: String?
    package var domain: String?
    package var schema: String?
    /// The user's name for administration.
    package var adminUser: String?
    /// The user's name for data.
    package var dataUser: String?

    package init(serverName: String? = nil, serverURI: String? = nil, domain: String? = nil, schema: String? = nil) {
        self.serverName = serverName
        self.serverURI = serverURI
        self.domain = domain
        self.schema = schema
    }

    /// Reads XML in UTF-8, UTF-16 or what else expat knows. Elements that are not ours are passed over.
    ///
    /// - Parameter isUTF8: whatever the XML declaration says, for text that was converted since it was written.
    package init(parsing bytes: [UInt8], isUTF8: Bool = false) throws(RelativityClientError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        let reader = ElementReader()
        try reader.read(bytes, isUTF8: isUTF8)
        let values = reader.values.filter { !$0.value.isEmpty }
        serverName = values[.serverName]
        serverURI = values[.serverURI]
        domain = values[.domain]
        schema = values[.schema]
        adminUser = values[.adminLogin]
        dataUser = values[.dataLogin]
    }

    /// The file as the vendor's tools write it; users are left out. A value that XML cannot hold is left out too.
    package var xml: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <RelativityClient>
          <Server>
            \(Self.element("Name", serverName))
            \(Self.element("ServerUri", serverURI))
          </Server>
          \(Self.element("Domain", domain))
          \(Self.element("Schema", schema))
          <AdminLogin />
          <DataLogin />
        </RelativityClient>

        """
    }

    private static func element(_ name: String, _ value: String?) -> String {
        guard let value, !value.isEmpty, value.unicodeScalars.allSatisfy(isPermitted) else { return "<\(name) />" }
        let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "<\(name)>\(escaped)</\(name)>"
    }

    /// XML 1.0, section 2.2, without the controls and line ends that would not come back as they were.
    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0xFFFE
            && scalar.value != 0xFFFF
    }
}

/// The elements of a `.relativityClient` file that are read, by their path below the outermost one.
enum KnownElement: String, CaseIterable {
    case serverName = "Server/Name"
    case serverURI = "Server/ServerUri"
    case domain = "Domain"
    case schema = "Schema"
    case adminLogin = "AdminLogin"
    case dataLogin = "DataLogin"

    /// Of the UTF-8 text, without the white space around it.
    var maximumBytes: Int {
        self == .serverURI ? 2_048 : 255
    }
}

/// Lets expat walk through a document once, and collects the text of the known elements.
///
/// An object, because expat's callbacks find it through a pointer; it lives on the stack of one call.
final class ElementReader {
    private static let maximumDepth = 16
    private static let root = "RelativityClient"

    private(set) var values: [KnownElement: String] = [:]
    private var path: [String] = []
    /// Text of the element at `path`, where that is a known one.
    private var text: [UInt8] = []
    private var failure: RelativityClientError?
    private var parser: XML_Parser?

    func read(_ bytes: [UInt8], isUTF8: Bool) throws(RelativityClientError) {
        guard let parser = XML_ParserCreate(isUTF8 ? "UTF-8" : nil) else { throw .outOfMemory }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { reader, name, _ in ElementReader.of(reader)?.begin(name) },
            { reader, _ in ElementReader.of(reader)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { reader, start, count in ElementReader.of(reader)?.append(start, count) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in ElementReader.of(reader)?.refuseDocumentType() }
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no reason is known"
            throw .syntax(reason: words, line: line)
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> ElementReader? {
        pointer.map { Unmanaged<ElementReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { parser.map { Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 0 }

    /// The known element that is open, if it is the innermost one.
    private var current: KnownElement? {
        path.first == Self.root ? KnownElement(rawValue: path.dropFirst().joined(separator: "/")) : nil
    }

    private func begin(_ name: UnsafePointer<CChar>?) {
        guard failure == nil, let name else { return }
        path.append(String(cString: name))
        guard path[0] == Self.root else { return fail(.otherDocument(line: line)) }
        guard path.count <= Self.maximumDepth else { return fail(.tooDeep(limit: Self.maximumDepth, line: line)) }
        guard let current else { return }
        guard values[current] == nil else { return fail(.duplicate(element: current.rawValue, line: line)) }
        // Empty or not, it has been there.
        values[current] = ""
        text = []
    }

    private func append(_ start: UnsafePointer<CChar>?, _ count: Int32) {
        guard failure == nil, let start, let current else { return }
        let piece = UnsafeRawBufferPointer(start: start, count: Int(count))
        guard text.count + piece.count <= current.maximumBytes * 2 else {
            return fail(.tooLong(element: current.rawValue, limit: current.maximumBytes, line: line))
        }
        text += piece
    }

    private func end() {
        guard failure == nil else { return }
        defer { path.removeLast() }
        guard let current else { return }
        let trimmed = Self.trimmed(text)
        guard trimmed.count <= current.maximumBytes else {
            return fail(.tooLong(element: current.rawValue, limit: current.maximumBytes, line: line))
        }
        // expat has checked that it is UTF-8.
        let value = String(decoding: trimmed, as: UTF8.self)
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }) else {
            return fail(.controlCharacter(element: current.rawValue, line: line))
        }
        values[current] = value
    }

    private func refuseDocumentType() {
        fail(.documentType(line: line))
    }

    private func fail(_ error: RelativityClientError) {
        if failure == nil { failure = error }
        if let parser { XML_StopParser(parser, XML_Bool(0)) }
    }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}

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
