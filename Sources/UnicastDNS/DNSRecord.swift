// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

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
