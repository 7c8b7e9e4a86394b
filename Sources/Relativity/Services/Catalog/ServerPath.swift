// SPDX-License-Identifier: Apache-2.0

import JSON

/// A path of a server that a GET through an adapter can name.
package enum ServerPath: String, Sendable, Hashable, CaseIterable {
    /// The path of the endpoint, where the server describes its services.
    case own
    /// The dispatcher of Data Abstract for REST.
    case rest = "/rest/"
    /// The dispatcher of Data Abstract for OData.
    case oData = "/odata/"
    /// The dispatcher of the Remoting SDK for services by HTTP, which answers with an OpenAPI document.
    case httpAPI = "/api/"

    /// The path of a request to an adapter; its own one unless it is one of the others.
    package init(of request: String) { self = request == Self.own.rawValue ? .own : Self(rawValue: request) ?? .own }

    /// Maximum bytes of a page that is not the description.
    package static let maximumBytes = 64 << 10

    /// Whether a page shows that the server has this interface; nil if it does not show it.
    ///
    /// - Parameter status: a redirect proves nothing.
    package func isServed(status: Int, _ body: [UInt8]) -> Bool? {
        guard status != 404 else { return false }
        let text = String(decoding: body, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        switch (self, status) {
        case (.own, _): return nil
        case (.rest, 200): return start.hasPrefix("{") || start.hasPrefix("[") || Self.isXML(start) ? true : nil
        case (.oData, 200):
            let marks = ["<service", "<edmx:edmx", "odata.metadata", "@odata.context", "entitysets"]
            return marks.contains { text.contains($0) } ? true : nil
        case (.httpAPI, 200):
            guard let document = try? JSONValue(parsing: body).objectValue else { return nil }
            return document["swagger"] != nil || document["openapi"] != nil ? true : nil
        default: return nil
        }
    }

    private static func isXML(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("<") && !text.hasPrefix("<!doctype html") && !text.hasPrefix("<html")
    }
}
