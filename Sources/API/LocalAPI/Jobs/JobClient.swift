// SPDX-License-Identifier: Apache-2.0

package import JSON

/// What a new program is for.
package struct JobClient: JSONRecord {
    /// The name or ID of the endpoint.
    package var endpoint = ""
    /// The name of the login; nil for the only one.
    package var login: String?
    /// Whether no login is used.
    package var isAnonymous = false
    /// The schema of the data service; nil for that of the login.
    package var schema: String?
    /// The data service; nil for the announced one.
    package var service: String?
    /// The folder with the sources of this project.
    package var package = ""

    package static let members: [JSONMember<Self>] = [
        .init("endpoint", \.endpoint), .init("login", \.login), .init("isAnonymous", \.isAnonymous),
        .init("schema", \.schema), .init("service", \.service), .init("package", \.package),
    ]
}
