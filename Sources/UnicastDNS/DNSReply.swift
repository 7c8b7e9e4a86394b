// SPDX-License-Identifier: Apache-2.0

/// A server's message, read as far as it matters here.
struct DNSReply: Sendable, Hashable {
    /// More would not fit: a message has 65,535 bytes at most, and the shortest record of use, an IPv4 address, has 16.
    private static let maximumRecords = 4_096

    private let id: UInt16
    private let name: DomainName
    private let kind: UInt16
    /// There was more than fits a datagram.
    let isTruncated: Bool
    /// 0 for success, 3 for a name that does not exist.
    let code: UInt8
    let answers: [DNSRecord]
    /// Of the authority section.
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
        // What was cut off is asked again in whole.
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

    /// Whether it is a reply to this very message, and no late or forged one.
    func answers(_ question: DNSQuestion, id: UInt16) -> Bool {
        self.id == id && name == question.name && kind == question.kind.rawValue
    }
}
