// SPDX-License-Identifier: Apache-2.0

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
