// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The answer to a question: records, or the fact that there are none.
struct DNSAnswer: Sendable, Hashable {
    var contents: [DNSRecord.Content]
    /// The number of records that were received and are not kept.
    var omitted = 0
    /// How long the answer is valid, in seconds.
    var ttl: UInt32

    /// The lifetime of a negative answer that has no SOA record.
    private static let negativeTTL: UInt32 = 60
    /// A longer chain of aliases is treated as a loop.
    private static let maximumAliases = 8

    init(contents: [DNSRecord.Content], ttl: UInt32) {
        self.contents = contents
        self.ttl = ttl
    }

    /// Takes the records of the queried name, or of the aliases that it points to. Records of other names are
    /// ignored.
    ///
    /// - Throws: `refused` unless the code means success or a name that does not exist.
    init(_ reply: DNSReply, to question: DNSQuestion) throws(DNSError) {
        guard reply.code == 0 || reply.code == 3 else { throw .refused(code: reply.code) }
        var name = question.name
        var ttls: [UInt32] = []
        for _ in 0..<Self.maximumAliases {
            guard let alias = reply.answers.lazy.compactMap({ $0.alias(of: name) }).first else { break }
            name = alias.target
            ttls.append(alias.ttl)
        }
        let records = reply.answers.filter { $0.owner == name && $0.content.isAnswer(to: question.kind) }
        contents = records.map(\.content)
        if records.isEmpty {
            ttls += reply.authority.compactMap { record in
                guard case .authority(let seconds) = record.content else { return nil }
                return min(seconds, record.ttl)
            }
        }
        ttl = (ttls + records.map(\.ttl)).min() ?? Self.negativeTTL
    }
}

extension DNSRecord {
    fileprivate func alias(of name: DomainName) -> (target: DomainName, ttl: UInt32)? {
        guard owner == name, case .alias(let target) = content else { return nil }
        return (target, ttl)
    }
}

extension DNSRecord.Content {
    fileprivate func isAnswer(to kind: DNSQuestion.Kind) -> Bool {
        switch (self, kind) {
        case (.address(let address), .address): address.family == .inet
        case (.address(let address), .address6): address.family == .inet6
        case (.pointer, .pointer), (.text, .text), (.service, .service): true
        default: false
        }
    }
}
