// SPDX-License-Identifier: Apache-2.0

/// The content of the vendor's `.relativityClient` files: the server that a client connects to, and the login that it
/// uses. A `.remoteRODL` file has only the address of the server.
///
/// The vendor's tools store passwords in another file. So only the user's name is read from AdminLogin and DataLogin.
package struct RelativityClientFile: Sendable, Hashable {
    /// Maximum size of a file in bytes.
    package static let maximumBytes = 64 << 10

    /// The announced instance name. If there is a URI, it takes precedence.
    package var serverName: String?
    /// The URI as written in the file, not validated.
    package var serverURI: String?
    /// The domain to log in to.
    package var domain: String?
    /// The schema to log in with.
    package var schema: String?
    /// The user's name for administration.
    package var adminUser: String?
    /// The user's name for data.
    package var dataUser: String?

    /// Creates the content of a file.
    package init(serverName: String? = nil, serverURI: String? = nil, domain: String? = nil, schema: String? = nil) {
        self.serverName = serverName
        self.serverURI = serverURI
        self.domain = domain
        self.schema = schema
    }

    /// Parses XML in UTF-8, UTF-16 or another encoding that expat knows. Unknown elements are ignored.
    ///
    /// - Parameter isUTF8: ignores the encoding in the XML declaration, for text that was converted after it was
    ///   written.
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

    /// The file in the format of the vendor's tools, without users. A value that XML cannot represent is omitted.
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
        return "<\(name)>\(XMLText.escaped(value))</\(name)>"
    }

    /// Permits the characters of XML, except controls and line ends: none belongs into a name or an address.
    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        XMLText.isPermitted(scalar) && scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
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

    /// Maximum length of the UTF-8 text, without the surrounding white space.
    var maximumBytes: Int {
        self == .serverURI ? 2_048 : 255
    }
}

/// Collects the text of the known elements. For one document only.
final class ElementReader: XMLHandler {
    private static let maximumDepth = 16
    private static let roots = ["relativityclient", "remoterodl"]

    private(set) var values: [KnownElement: String] = [:]
    private let xml = XMLReader()
    private var path: [String] = []
    /// The text of the element at `path`, if it is a known one.
    private var text: [UInt8] = []

    func read(_ bytes: [UInt8], isUTF8: Bool) throws(RelativityClientError) {
        do {
            try bytes.withUnsafeBytes { try xml.read($0, encoding: isUTF8 ? "UTF-8" : nil, for: self) }
        } catch {
            throw error as? RelativityClientError ?? .outOfMemory
        }
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: RelativityClientError.outOfMemory
        case .documentType: RelativityClientError.documentType(line: xml.line)
        case .malformed(let reason): RelativityClientError.syntax(reason: reason, line: xml.line)
        }
    }

    /// The innermost open element, if it is a known one.
    private var current: KnownElement? {
        path.isEmpty ? nil : KnownElement(rawValue: path.dropFirst().joined(separator: "/"))
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        path.append(name)
        guard Self.roots.contains(path[0].lowercased()) else {
            throw RelativityClientError.otherDocument(line: xml.line)
        }
        guard path.count <= Self.maximumDepth else {
            throw RelativityClientError.tooDeep(limit: Self.maximumDepth, line: xml.line)
        }
        guard let current else { return }
        guard values[current] == nil else {
            throw RelativityClientError.duplicate(element: current.rawValue, line: xml.line)
        }
        // Marks the element as seen, even if it is empty.
        values[current] = ""
        text = []
    }

    func append(_ text: UnsafeRawBufferPointer) throws {
        guard let current else { return }
        guard self.text.count + text.count <= current.maximumBytes * 2 else { throw tooLong(current) }
        self.text += text
    }

    func end() throws {
        defer { path.removeLast() }
        guard let current else { return }
        let trimmed = Self.trimmed(text)
        guard trimmed.count <= current.maximumBytes else { throw tooLong(current) }
        // expat has checked that the text is UTF-8.
        let value = String(decoding: trimmed, as: UTF8.self)
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }) else {
            throw RelativityClientError.controlCharacter(element: current.rawValue, line: xml.line)
        }
        values[current] = value
    }

    private func tooLong(_ element: KnownElement) -> RelativityClientError {
        .tooLong(element: element.rawValue, limit: element.maximumBytes, line: xml.line)
    }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}

/// The reason why a text is not a `.relativityClient` file. Its content is never quoted, because it could be a
/// password.
package enum RelativityClientError: Error, Hashable {
    case tooLarge(limit: Int)
    /// - Parameter reason: the XML parser's own message.
    case syntax(reason: String, line: Int)
    /// Document types are rejected: they can expand a small file to a large one, and refer to other files.
    case documentType(line: Int)
    case tooDeep(limit: Int, line: Int)
    case tooLong(element: String, limit: Int, line: Int)
    case duplicate(element: String, line: Int)
    case controlCharacter(element: String, line: Int)
    /// The outermost element is neither RelativityClient nor RemoteRODL.
    case otherDocument(line: Int)
    case outOfMemory
}

extension RelativityClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .syntax(let reason, let line): "line \(line): not valid XML: \(reason)"
        case .documentType(let line): "line \(line): a document type is not allowed"
        case .tooDeep(let limit, let line): "line \(line): elements are nested more than \(limit) deep"
        case .tooLong(let element, let limit, let line): "line \(line): \(element) is longer than \(limit) bytes"
        case .duplicate(let element, let line): "line \(line): there is a second \(element)"
        case .controlCharacter(let element, let line): "line \(line): \(element) has a control character"
        case .otherDocument(let line): "line \(line): the outermost element is neither RelativityClient nor RemoteRODL"
        case .outOfMemory: "there is no memory for the XML parser"
        }
    }
}
