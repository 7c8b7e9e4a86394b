// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// A complete request.
struct HTTPRequest {
    let method: HTTPMethod
    /// The path without the query.
    let path: String
    let query: String?
    let headers: HTTPHeaders
    /// Whether a stream can be sent in chunks: HTTP/1.1 marks its end that way, HTTP/1.0 cannot.
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
