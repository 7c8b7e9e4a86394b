// SPDX-License-Identifier: Apache-2.0

/// The parts of a server's message that this module uses.
struct DNSReply: Sendable, Hashable {
    /// More records cannot fit: a message has at most 65,535 bytes, and the shortest useful record, an IPv4 address,
    /// has 16.
    private static let maximumRecords = 4_096

    private let id: UInt16
    private let name: DomainName
    private let kind: UInt16
    /// Whether the reply did not fit the datagram.
    let isTruncated: Bool
    /// 0 for success, 3 for a name that does not exist.
    let code: UInt8
    let answers: [DNSRecord]
    /// The records of the authority section.
    let authority: [DNSRecord]

    init(parsing bytes: [UInt8]) throws(DNSError) {
        var reader = DNSReader(bytes)
        id = try reader.number16()
        let flags = try reader.number16()
        let isReply = flags & 0x8000 != 0
        isTruncated = flags & 0x0200 != 0
        code = UInt8(flags & 0x000F)
        let counts = (
            questions: try reader.number16(), answers: try reader.number16(), authority: try reader.number16(),
            additional: try reader.number16()
        )
        guard isReply, counts.questions == 1 else { throw .malformed }
        name = try reader.name()
        kind = try reader.number16()
        guard try reader.number16() == DNSQuestion.internet else { throw .malformed }
        // A truncated reply is requested again over TCP.
        guard !isTruncated else {
            answers = []
            authority = []
            return
        }
        guard Int(counts.answers) + Int(counts.authority) <= Self.maximumRecords else { throw .malformed }
        answers = try Self.records(counts.answers, &reader)
        authority = try Self.records(counts.authority, &reader)
    }

    private static func records(_ count: UInt16, _ reader: inout DNSReader) throws(DNSError) -> [DNSRecord] {
        var records: [DNSRecord] = []
        for _ in 0..<count {
            if let record = try DNSRecord.next(&reader) { records.append(record) }
        }
        return records
    }

    /// Whether it is the reply to this query, and not a delayed or forged one.
    func answers(_ question: DNSQuestion, id: UInt16) -> Bool {
        self.id == id && name == question.name && kind == question.kind.rawValue
    }
}
