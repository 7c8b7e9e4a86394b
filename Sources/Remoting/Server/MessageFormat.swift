// SPDX-License-Identifier: Apache-2.0

/// How messages are written; each format has a path of its own (docs/wire.md, "HTTP channel").
package enum MessageFormat: Sendable, CaseIterable {
    case binary
    case json

    var contentType: String {
        switch self {
        case .binary: "application/octet-stream"
        case .json: "application/json"
        }
    }
}
