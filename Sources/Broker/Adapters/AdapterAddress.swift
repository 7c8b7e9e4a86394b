// SPDX-License-Identifier: Apache-2.0

/// The address at which an adapter takes calls.
package enum AdapterAddress: Sendable, Hashable {
    /// A Unix socket of mode 0600.
    case socket(path: String)
    /// A port of 127.0.0.1, and the path that requests must name; the path begins with a slash.
    case loopback(port: UInt16, path: String)
    /// The server itself, for a client that knows the session's ClientID. The daemon does not listen.
    case session(url: String)

    /// The kind of this address.
    package var form: AdapterForm {
        switch self {
        case .socket: .socket
        case .loopback: .loopback
        case .session: .session
        }
    }

    /// `http://127.0.0.1:PORT/PATH`, or `http+unix://` with the percent-encoded path of the Unix socket instead of a
    /// host, as several HTTP clients accept it.
    package var url: String {
        switch self {
        case .socket(let path): "http+unix://\(Self.percentEncoded(path))/bin"
        case .loopback(let port, let path): "http://127.0.0.1:\(port)\(path)"
        case .session(let url): url
        }
    }

    /// Encodes all but unreserved characters (RFC 3986, section 2.3).
    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return encoded
    }
}

/// The kind of an adapter's address. The raw value is used in the API and in the configuration.
package enum AdapterForm: String, Sendable, Hashable, CaseIterable {
    case socket
    case loopback
    case session
}
