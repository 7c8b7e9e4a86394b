// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import JSON
import NIOCore
import Remoting

private let limits = WireLimits(message: 1 << 20, compressed: 1 << 18, depth: 16, elements: 1 << 14)

/// The body of an HTTP reply of any server. The first byte determines whether the status was 200.
///
/// A reply is decoded as each kind of call would decode it. A message is decoded to a document and encoded again, which
/// must yield the same bytes.
@main
enum ReplyFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        var bytes = ByteBuffer(bytes: input)
        guard let status = bytes.readInteger(as: UInt8.self) else { return }
        guard let body = try? ReplyBody.message(bytes, status: status & 1 == 0 ? 200 : 500) else { return }
        _ = try? ReplyMessage.values(of: body, limits: limits)
        _ = try? ReplyMessage.exception(in: body, limits: limits)
        _ = try? LoginReply.decode(body, limits: limits)
        for method in ["Login", "GetData", "ExecuteCommandEx", "GetConnectionNames", "GetSchema"] {
            for signature in ServiceCatalog.signatures(of: method) {
                _ = try? signature.results(of: body, limits: limits)
            }
        }
        if let poll = try? PollReply(decoding: body, limits: limits) {
            let again = poll.encoded(to: ClientID()).encoded()
            guard (try? PollReply(decoding: again)) == poll else { fatalError("events read differently") }
        }
        checkDocument(of: body)
    }
}

private func checkDocument(of body: ByteBuffer) {
    guard let document = try? MessageDocument.decode(body, limits: limits) else { return }
    let bounds = JSONLimits(depth: 128, bytes: 1 << 26, values: 1 << 22)
    guard let read = try? JSONValue(parsing: JSONValue.object(document).serialized(), limits: bounds),
        let object = read.objectValue, let again = try? MessageDocument.encode(object)
    else { fatalError("a document that is none") }
    guard document["compressed"] == .bool(true) || again == body else { fatalError("the round trip is not exact") }
    _ = try? MessageDocument.decode(body, isRedacted: true, limits: limits)
}
