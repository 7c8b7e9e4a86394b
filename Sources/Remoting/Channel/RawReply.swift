// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// An HTTP reply as it came, for whoever reports what a server does.
package struct RawReply: Sendable {
    package struct Header: Sendable {
        package let name: String
        package let value: String
    }

    package let status: Int
    package let headers: [Header]
    package let body: ByteBuffer
}
