// SPDX-License-Identifier: Apache-2.0

import Fuzzing

@testable import Discovery

/// Replies of DNS servers: they are parsed without a crash, and names survive the round trip.
@main
enum DNSFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        guard let reply = try? DNSReply(parsing: bytes) else { return }
        for record in reply.answers {
            guard DomainName(labels: record.owner.labels) == record.owner else { fatalError("a name that is none") }
            for kind in [DNSQuestion.Kind.pointer, .service, .text, .address, .address6] {
                _ = try? DNSAnswer(reply, to: DNSQuestion(name: record.owner, kind: kind))
            }
        }
    }
}
