// SPDX-License-Identifier: Apache-2.0

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
