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
        } catch let error as APIError {
            // A stable code for programs, a text for people, and the next thing to do.
            fail("\(error.code.rawValue): \(error.message)", hint: error.hint)
        } catch {
            fail("\(error)", hint: nil)
        }
    }

    private static func list(_ daemon: DaemonClient) throws {
        let reply = try daemon.call("org.relativityd.Registry.List")
        for endpoint in try reply.objects("endpoints") { show(try EndpointRecord(json: endpoint)) }
    }

    private static func watch(_ daemon: DaemonClient) throws {
        try daemon.stream("org.relativityd.Registry.Watch") { reply in
            for endpoint in try reply.optionalObjects("endpoints") ?? [] { show(try EndpointRecord(json: endpoint)) }
            if let endpoint = try reply.optionalObject("endpoint") { show(try EndpointRecord(json: endpoint)) }
            return .next
        }
    }

    private static func show(_ endpoint: EndpointRecord) {
        // Names are foreign text: as JSON no escape sequence of theirs reaches the terminal.
        let name = JSONValue.string(endpoint.name).text
        put("\(endpoint.id) \(name) \(endpoint.state.rawValue) \(endpoint.url)\n", to: STDOUT_FILENO)
    }

    private static func fail(_ message: String, hint: String?) -> Never {
        put(message + (hint.map { "\nnext: \($0)" } ?? "") + "\n", to: STDERR_FILENO)
        exit(1)
    }

    /// At once, also into a pipe.
    private static func put(_ text: String, to descriptor: Int32) {
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
    }
}
