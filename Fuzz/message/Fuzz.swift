// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import NIOCore
import Remoting

private let secret = ClientID()
private let tool = ClientID()
private let limits = WireLimits(message: 1 << 20, compressed: 1 << 18, depth: 16, elements: 1 << 14)

/// Messages of servers and tools: nothing may crash, and no scrubbed reply may contain the session's ClientID.
@main
enum MessageFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = ByteBuffer(bytes: input)
        if var request = try? RequestMessage(decoding: bytes, limits: limits) {
            _ = try? request.parameters.readVariant()
        }
        if var values = try? ReplyMessage.values(of: bytes, limits: limits) { _ = try? values.readVariant() }
        _ = try? LoginReply.decode(bytes, limits: limits)
        if var values = try? ReplyMessage.values(of: bytes, to: SchemaRequest.method, limits: limits) {
            _ = try? values.readText()
        }
        if let reply = try? MessageScrubber(hiding: secret, behind: tool).scrubbed(bytes, limits: limits) {
            let isHidden = secret.withWireBytes { needle in
                !reply.readableBytesView.indices.dropLast(15).contains { index in
                    reply.readableBytesView[index..<index + 16].elementsEqual(needle)
                }
            }
            guard isHidden else { fatalError("a scrubbed reply shows the session") }
        }
    }
}
