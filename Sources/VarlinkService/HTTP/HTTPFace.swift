// SPDX-License-Identifier: Apache-2.0

/// The configuration of a server's HTTP interface. HTTP clients use the same sockets, and are recognised by the first
/// byte.
///
/// Each method is `POST /call/METHOD` with its parameters as the body, and also `GET` if `VarlinkInterface.isSafe` is
/// true for it. `GET` of `/services`, `/interfaces/NAME` and `/health` describes the service. A connection serves one
/// request. A method that throws `VarlinkError.expectedMore` is called again with `more`, so it must not have done
/// anything before.
public struct HTTPFace: Sendable {
    /// A path for a method that is called without parameters. One string member of its reply is the body.
    public struct Page: Sendable, Hashable {
        /// The path with its slash, such as `/metrics`.
        public let path: String
        /// The name of the method with its interface.
        public let method: String
        /// The member of the reply that is sent as the body.
        public let member: String
        /// The value of the header `Content-Type`.
        public let contentType: String

        /// A page with these values.
        public init(path: String, method: String, member: String, contentType: String) {
            self.path = path
            self.method = method
            self.member = member
            self.contentType = contentType
        }
    }

    /// The pages in addition to the standard paths.
    public var pages: [Page]

    /// Returns the status code for an error of the service's own interfaces, given its qualified name.
    public var status: @Sendable (String) -> Int

    /// An HTTP interface with these pages. By default every error has status 500.
    public init(pages: [Page] = [], status: @escaping @Sendable (String) -> Int = { _ in 500 }) {
        self.pages = pages
        self.status = status
    }
}
