// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import JSON
import NIOCore
import Remoting

private let secret = ClientID()
private let tool = ClientID()
private let limits = WireLimits(message: 1 << 20, compressed: 1 << 18, depth: 16, elements: 1 << 14)

/// JSON messages of tools and servers: nothing may crash, a decoded message must survive the round trip, and no
/// scrubbed message may contain the session.
@main
enum JSONMessageFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = ByteBuffer(bytes: input)
        if let request = try? JSONRequest(decoding: bytes, limits: limits) { check(request) }
        for method in ["LoginEx", "Login", "GetSchema", "GetData", "ExecuteCommandEx"] {
            for signature in ServiceCatalog.signatures(of: method) {
                _ = try? JSONReply.values(of: bytes, signature.results, ServiceCatalog.structs, limits: limits)
            }
        }
        if let clean = try? MessageScrubber(hiding: secret, behind: tool).scrubbedJSON(bytes, limits: limits) {
            guard (try? JSONValue(parsing: clean.readableBytesView)) != nil else { fatalError("scrubbed into no JSON") }
        }
    }
}

private func check(_ request: JSONRequest) {
    for signature in ServiceCatalog.signatures(of: request.method) {
        let structs = ServiceCatalog.structs
        guard let values = try? request.parameters.values(signature.parameters, structs) else { continue }
        let named = zip(signature.parameters, values).map { NamedValue($0.name, $1) }
        let written = JSONObject(named, declared: signature.parameters, structs)
        guard let again = try? written.values(signature.parameters, structs) else { fatalError("written, not read") }
        let twice = JSONObject(
            zip(signature.parameters, again).map { NamedValue($0.name, $1) },
            declared: signature.parameters,
            structs
        )
        guard twice == written else { fatalError("read differently") }
    }
}
