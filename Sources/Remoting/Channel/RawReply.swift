// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore

/// An HTTP reply as it came, for whoever reports what a server does.
package struct RawReply: Sendable {
    package struct Header: Sendable {
        package let name: ByteBuffer
        package let value: ByteBuffer
        /// Both, and what stands between them.
        package let line: ByteBuffer
    }

    package let status: Int
    /// With the status line.
    private let head: ByteBuffer
    package let body: ByteBuffer

    init(_ reply: HTTPReply) {
        status = reply.status
        head = reply.head ?? ByteBuffer()
        body = reply.body
    }

    /// The first headers, which share the reply's storage.
    ///
    /// - Parameter limit: how many, at most.
    package func headers(atMost limit: Int) -> [Header] {
        let (feed, colon) = (UInt8(ascii: "\n"), UInt8(ascii: ":"))
        let blanks = Array(" \t\r".utf8)
        func part(_ bytes: ByteBufferView) -> ByteBuffer { ByteBuffer(bytes.trimmed(blanks)) }
        return head.readableBytesView.split(separator: feed).dropFirst().lazy.compactMap { line in
            line.firstIndex(of: colon).map { colon in
                Header(
                    name: part(line[..<colon]),
                    value: part(line[line.index(after: colon)...]),
                    line: part(line)
                )
            }
        }.prefix(limit).map { $0 }
    }

    /// Overwrites all of it.
    package func wipe() {
        head.wipeSharedStorage()
        body.wipeSharedStorage()
    }
}

extension ByteBufferView {
    fileprivate func trimmed(_ blanks: [UInt8]) -> ByteBufferView {
        var bytes = drop { blanks.contains($0) }
        while let last = bytes.last, blanks.contains(last) { bytes = bytes.dropLast() }
        return bytes
    }
}
