// SPDX-License-Identifier: Apache-2.0

/// The reply of a server to a GET of its path, where the vendor's code generator finds the RODL.
package enum ServicePage {
    /// Maximum bytes of a page.
    package static let maximumBytes = 1 << 20
    /// Bytes at the beginning of a page that show whether it is HTML.
    private static let searchedBytes = 64 << 10

    /// Returns the RODL.
    ///
    /// - Throws: `ServicePageError`, `RODLError`.
    package static func rodl(status: Int, _ body: [UInt8]) throws -> RODLFile {
        if let form = form(of: body) { throw ServicePageError.page(form, status: status) }
        guard status == 200 else { throw ServicePageError.status(status) }
        guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw ServicePageError.page(.empty, status: status)
        }
        return try RODLFile(file: body)
    }

    /// The form of a page that is no RODL; nil if it may be one.
    private static func form(of body: [UInt8]) -> ServicePageError.Form? {
        let text = String(decoding: body.prefix(searchedBytes), as: UTF8.self).lowercased()
        let start = content(of: text)
        guard start.hasPrefix("<!doctype html") || start.hasPrefix("<html") else {
            let isUTF16 = body.prefix(2).contains { [0, 0xFE, 0xFF].contains($0) }
            return start.hasPrefix("<") || start.hasPrefix("{") || isUTF16 || start.isEmpty ? nil : .text
        }
        let marks = ["type=\"password\"", "type='password'", "type=password"]
        return marks.contains { start.contains($0) } ? .login : .html
    }

    /// The text after white space, the XML declaration and comments.
    private static func content(of text: String) -> Substring {
        var rest = text[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let mark = rest.hasPrefix("<?") ? "?>" : rest.hasPrefix("<!--") ? "-->" : nil
            guard let mark, let end = rest.firstRange(of: mark) else { return rest }
            rest = rest[end.upperBound...]
        }
    }
}

/// The reason why a server's reply to a GET is no RODL.
package enum ServicePageError: Error, Hashable, Sendable {
    /// The form of a page.
    package enum Form: Hashable, Sendable {
        case empty
        case html
        /// HTML with a field for a password.
        case login
        case text
    }

    /// A status other than 200, which is no redirect.
    case status(Int)
    /// A redirect. It is not followed.
    case redirect(Int)
    /// Something else than XML or JSON.
    case page(Form, status: Int)
    /// More than this many bytes.
    case tooLarge(Int)
}

extension ServicePageError: CustomStringConvertible {
    /// A part of a sentence that begins with the server.
    package var description: String {
        switch self {
        case .status(404): "has no description of its services at this path (HTTP status 404)"
        case .status(405): "answers no GET at this path (HTTP status 405)"
        case .status(401), .status(403): "does not give its description without a login"
        case .status(let status): "answered HTTP status \(status) instead of a description of its services"
        case .redirect(let status): "answered a redirect (HTTP status \(status)), which is not followed"
        case .page(let form, let status):
            "answered \(form.words) instead of a description of its services"
                + (status == 200 ? "" : " (HTTP status \(status))")
        case .tooLarge(let limit): "answered more than \(limit) bytes instead of a description of its services"
        }
    }
}

extension ServicePageError.Form {
    fileprivate var words: String {
        switch self {
        case .empty: "an empty page"
        case .html: "an HTML page"
        case .login: "a login page"
        case .text: "text that is neither XML nor JSON"
        }
    }
}
