// SPDX-License-Identifier: Apache-2.0

/// Why a document is no message.
package enum DocumentError: Error, Equatable {
    /// The part of this name, or what stands at this place, is missing or of another shape.
    case shape(String)
    /// Secrets were left out of it.
    case redacted
}

extension DocumentError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .shape(let place): "the document has no valid \(place)"
        case .redacted: "the document was made with --redact, so a part of the message is missing"
        }
    }
}
