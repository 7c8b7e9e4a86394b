// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A connection to a server, opened by relctl for its helper.
package struct JobAdapter: Hashable, Sendable {
    /// The path of the adapter's Unix socket.
    package let socket: String
    /// The name of the data service, such as `DataService` or `DataService.Simple`.
    package let service: String
    /// The name of the server in notes and errors.
    package let name: String

    /// Creates an adapter.
    package init(socket: String, service: String, name: String) {
        self.socket = socket
        self.service = service
        self.name = name
    }

    /// The adapter as an object with the members `socket`, `service` and `name`.
    package var json: JSONValue {
        .object(["socket": .string(socket), "service": .string(service), "name": .string(name)])
    }
}
