// SPDX-License-Identifier: Apache-2.0

import Fuzzing

@testable import Discovery

/// Responses of etcd's gateway, and entries of a shared list.
@main
enum EtcdFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        let limits = EtcdLimits()
        var lines = LineSplitter(limit: 1_024)
        for line in (try? lines.append(bytes)) ?? [] {
            guard !line.contains(UInt8(ascii: "\n")), line.count <= 1_024 else { fatalError("a line that is none") }
            _ = try? EtcdReply.news(line, limits: limits)
        }
        if let page = try? EtcdReply.page(bytes, of: EtcdRange(below: "/fleet"), limits: limits) {
            var contents = ListContents(prefix: "/fleet", limits: limits)
            for pair in page.pairs { contents.put(pair) }
            for pair in page.pairs { contents.delete(key: pair.key) }
            guard contents.entries.isEmpty, contents.faults.isEmpty else { fatalError("an entry that stays") }
        }
        if let entry = try? ListEntry(parsing: bytes, limits: limits) {
            guard entry.txt.reduce(0, { $0 + 1 + $1.count }) <= limits.textBytes else { fatalError("too much TXT") }
        }
    }
}
