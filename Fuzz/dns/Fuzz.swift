// SPDX-License-Identifier: Apache-2.0

import CFuzzer

@testable import UnicastDNS

/// Replies of DNS servers: they are parsed without a crash, and names survive the round trip.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let reply = try? DNSReply(parsing: bytes) else { return 0 }
    for record in reply.answers {
        guard DomainName(labels: record.owner.labels) == record.owner else { fatalError("a name that is none") }
        for kind in [DNSQuestion.Kind.pointer, .service, .text, .address, .address6] {
            _ = try? DNSAnswer(reply, to: DNSQuestion(name: record.owner, kind: kind))
        }
    }
    return 0
}

@main
enum Main {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments, fuzz)
    }
}
