// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// A request as it came, whole.
struct HTTPRequest {
    let method: HTTPMethod
    /// Without its query.
    let path: String
    let query: String?
    let headers: HTTPHeaders
    /// HTTP/1.1 has a way to tell where a stream ends, HTTP/1.0 has not.
    let takesChunks: Bool
    let body: [UInt8]

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        method = head.method
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map { String($0) } ?? ""
        query = parts.count > 1 ? String(parts[1]) : nil
        headers = head.headers
        takesChunks = head.version.minor >= 1
        self.body = body
    }
}
