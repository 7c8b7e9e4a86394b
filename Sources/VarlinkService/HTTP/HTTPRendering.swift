// SPDX-License-Identifier: Apache-2.0

/// How a call's replies are sent.
enum HTTPRendering: Equatable {
    /// The parameters of the only reply, as `application/json`.
    case parameters
    /// One string member of the only reply.
    case member(String, contentType: String)
    /// The parameters of each reply, as `application/json-seq` (RFC 7464).
    case sequence

    var contentType: String {
        switch self {
        case .parameters: "application/json"
        case .member(_, let contentType): contentType
        case .sequence: "application/json-seq"
        }
    }
}
