// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension CaptureNote {
    /// The observation as a clause, safe for a terminal.
    var sentence: Printable { Printable(again: clause) }

    private var clause: String {
        switch code {
        case .loginOmitted: "the login string in the request is left out"
        case .loginReplyOmitted: "the body is left out: it answers a login and is not a BinMessage, \(bytes)"
        case .bodyUnreadable: "the body is left out: \(text ?? "unknown reason")"
        case .bodySecret: "the body is left out because it repeats a secret"
        case .headerSecret: "a header is left out because it repeats a secret"
        case .bytesOmitted: "\(count ?? 0) more bytes are left out"
        case .notMessage: "\(bytes), not a BinMessage"
        case .message: "a BinMessage of kind \(name), \(bytes), not compressed"
        case .compressedMessage: "a BinMessage of kind \(name), \(bytes), compressed"
        case .sameClientID: "its ClientID is that of the request"
        case .zeroClientID: "its ClientID is zero"
        case .otherClientID: "its ClientID differs from that of the request"
        case .exception: "exception of class \(text ?? "")"
        case .schemaElement: "schema: \(text ?? "")"
        case .schemaNotXML: "the schema is not XML"
        }
    }

    private var bytes: Counted { Counted(count ?? 0, "byte") }
    private var name: String { kind?.rawValue ?? "unknown" }
}
