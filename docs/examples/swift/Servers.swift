// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Varlink

/// Lists the servers that relativityd knows, or watches them.
///
///     example-servers [watch]
@main
enum Servers {
    static func main() {
        do {
            let daemon = try DaemonClient()
            if CommandLine.arguments.dropFirst() == ["watch"] {
                try watch(daemon)
            } else {
                try list(daemon)
            }
        } catch let error as DaemonError {
            // A stable code for programs, and a text for people.
            fail("\(error.code.rawValue): \(error.message)")
        } catch {
            fail("\(error)")
        }
    }

    private static func list(_ daemon: DaemonClient) throws {
        for endpoint in try daemon.call(RegistryAPI.ListCall()).endpoints { show(endpoint) }
    }

    private static func watch(_ daemon: DaemonClient) throws {
        try daemon.stream(RegistryAPI.WatchCall()) { reply in
            for endpoint in reply.endpoints ?? [] { show(endpoint) }
            if let endpoint = reply.endpoint { show(endpoint) }
            return .next
        }
    }

    private static func show(_ endpoint: RegistryAPI.Endpoint) {
        // Names are foreign text: as JSON no escape sequence of theirs reaches the terminal.
        let name = JSONValue.string(endpoint.name).text
        put("\(endpoint.id) \(name) \(endpoint.state.rawValue) \(endpoint.url)\n", to: STDOUT_FILENO)
    }

    private static func fail(_ message: String) -> Never {
        put(message + "\n", to: STDERR_FILENO)
        exit(1)
    }

    /// At once, also into a pipe.
    private static func put(_ text: String, to descriptor: Int32) {
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
    }
}
