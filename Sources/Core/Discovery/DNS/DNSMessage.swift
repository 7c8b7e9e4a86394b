// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// A question for DNS servers: the records of one type at one name, in the class of the internet.
struct DNSQuestion: Sendable, Hashable {
    /// The record type, with its number in RFC 1035, 2782 or 3596.
    enum Kind: UInt16, Sendable, Hashable {
        case address = 1
        case pointer = 12
        case text = 16
        case address6 = 28
        case service = 33
    }

    var name: DomainName
    var kind: Kind

    static let internet: UInt16 = 1

    /// The complete query message: recursion desired, no extensions. Without EDNS a long reply is sent over TCP, and
    /// never in fragments, which others could forge.
    func message(id: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: UInt16) { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }
        append(id)
        append(0x0100)
        for count: UInt16 in [1, 0, 0, 0] { append(count) }
        for label in name.labels { bytes += [UInt8(label.count)] + label }
        bytes.append(0)
        append(kind.rawValue)
        append(Self.internet)
        return bytes
    }
}

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

/// A resource record of a type that this module uses.
struct DNSRecord: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case address(IPAddress)
        case alias(DomainName)
        case pointer(DomainName)
        case text([[UInt8]])
        case service(ServiceLocation)
        /// How long the absence of records may be cached, in seconds (RFC 2308, section 5).
        case authority(negativeTTL: UInt32)
    }

    var owner: DomainName
    /// In seconds. Numbers with the highest bit set count as 0 (RFC 2181, section 8).
    var ttl: UInt32
    var content: Content
}

/// The content of an SRV record (RFC 2782).
struct ServiceLocation: Sendable, Hashable {
    var priority: UInt16
    var weight: UInt16
    var port: UInt16
    var target: DomainName
}

extension DNSRecord {
    /// Reads the next record. Afterwards the reader is after that record, whatever its content.
    ///
    /// - Returns: nil if the record has another type or class, or content that does not fit its type. The other
    ///   records of the message can still be used.
    /// - Throws: if the message ends too early, so that no record can follow.
    static func next(_ reader: inout DNSReader) throws(DNSError) -> DNSRecord? {
        let owner = try reader.name()
        let type = try reader.number16()
        let kind = try reader.number16()
        let seconds = try reader.number32()
        let end = Int(try reader.number16()) + reader.position
        let content = kind == DNSQuestion.internet ? try? content(of: type, &reader, end: end) : nil
        let isExact = reader.position == end
        try reader.move(to: end)
        guard let content, isExact else { return nil }
        return DNSRecord(owner: owner, ttl: seconds > UInt32(Int32.max) ? 0 : seconds, content: content)
    }

    private static func content(of type: UInt16, _ reader: inout DNSReader, end: Int) throws(DNSError) -> Content? {
        switch type {
        case 1: return IPAddress(bytes: try reader.take(4)).map { .address($0) }
        case 5: return .alias(try reader.name())
        case 6:
            _ = (try reader.name(), try reader.name())
            _ = try reader.take(16)
            return .authority(negativeTTL: try reader.number32())
        case 12: return .pointer(try reader.name())
        case 16:
            var strings: [[UInt8]] = []
            while reader.position < end { strings.append(try reader.take(Int(try reader.byte()))) }
            return .text(strings)
        case 28: return IPAddress(bytes: try reader.take(16)).map { .address($0) }
        case 33:
            return .service(
                ServiceLocation(
                    priority: try reader.number16(),
                    weight: try reader.number16(),
                    port: try reader.number16(),
                    target: try reader.name()
                )
            )
        default: return nil
        }
    }
}

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

/// Reads the numbers and names of a DNS message. Every read is checked against the end of the message.
struct DNSReader {
    /// A name has at most this many labels, and needs at most one pointer for each.
    private static let maximumPointers = 127
    /// The limit of labels and pointers of all names together. Many records can share names, which takes the server
    /// few bytes but takes this reader many steps.
    private static let maximumSteps = 1 << 17

    private let bytes: [UInt8]
    private(set) var position = 0
    private var steps = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func byte() throws(DNSError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number16() throws(DNSError) -> UInt16 {
        UInt16(try byte()) << 8 | UInt16(try byte())
    }

    mutating func number32() throws(DNSError) -> UInt32 {
        UInt32(try number16()) << 16 | UInt32(try number16())
    }

    mutating func take(_ count: Int) throws(DNSError) -> [UInt8] {
        guard count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// Continues after the end of a record's data, however much of it was read.
    mutating func move(to end: Int) throws(DNSError) {
        guard (0...bytes.count).contains(end) else { throw .malformed }
        position = end
    }

    /// Reads a name, following compression (RFC 1035, section 4.1.4). Each pointer must point before the previous
    /// one, so there are no loops.
    mutating func name() throws(DNSError) -> DomainName {
        var labels: [[UInt8]] = []
        var size = 1
        var start = position
        var behind: Int?
        var pointers = 0
        while true {
            steps += 1
            guard steps <= Self.maximumSteps else { throw .malformed }
            let length = try byte()
            switch length & 0xC0 {
            case 0 where length == 0:
                if let behind { position = behind }
                guard let name = DomainName(labels: labels) else { throw .malformed }
                return name
            case 0:
                size += 1 + Int(length)
                guard size <= DomainName.maximumBytes else { throw .malformed }
                labels.append(try take(Int(length)))
            case 0xC0:
                let target = Int(length & 0x3F) << 8 | Int(try byte())
                behind = behind ?? position
                pointers += 1
                guard target < start, pointers <= Self.maximumPointers else { throw .malformed }
                start = target
                position = target
            default:
                throw .malformed
            }
        }
    }
}
