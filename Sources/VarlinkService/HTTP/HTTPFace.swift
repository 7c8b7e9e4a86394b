// SPDX-License-Identifier: Apache-2.0

/// How a server shows itself to HTTP clients, where it does: on the same sockets, told apart by the first byte.
///
/// Each method is `POST /call/METHOD` with its parameters as the body, for `VarlinkInterface.isSafe` ones `GET` too. `GET`
/// of `/services`, `/interfaces/NAME` and `/health` tell about the service. One request for each connection. A method that
/// throws `VarlinkError.expectedMore` is called again with `more`, so it must not have done anything yet.
public struct HTTPFace: Sendable {
    /// A path that a method answers, called without parameters: one text of its reply is the body.
    public struct Page: Sendable, Hashable {
        /// With its slash, such as `/metrics`.
        public let path: String
        /// With its interface.
        public let method: String
        /// The member of the reply that is the body.
        public let member: String
        public let contentType: String

        public init(path: String, method: String, member: String, contentType: String) {
            self.path = path
            self.method = method
            self.member = member
            self.contentType = contentType
        }
    }

    public var pages: [Page]

    /// The status code for an error of the service's own interfaces, by its full name.
    public var status: @Sendable (String) -> Int

    public init(pages: [Page] = [], status: @escaping @Sendable (String) -> Int = { _ in 500 }) {
        self.pages = pages
        self.status = status
    }
}
