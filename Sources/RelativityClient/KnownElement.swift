// SPDX-License-Identifier: Apache-2.0

/// The elements of a `.relativityClient` file that are read, by their path below the outermost one.
enum KnownElement: String, CaseIterable {
    case serverName = "Server/Name"
    case serverURI = "Server/ServerUri"
    case domain = "Domain"
    case schema = "Schema"
    case adminLogin = "AdminLogin"
    case dataLogin = "DataLogin"

    /// Of the UTF-8 text, without the white space around it.
    var maximumBytes: Int {
        self == .serverURI ? 2_048 : 255
    }
}
