// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform

/// A parsed line of the log (docs/audit.md). The fields at its start and end have fixed positions, so that a chain can
/// be checked without parsing JSON.
struct AuditLine: Sendable, Hashable {
    /// The way in which the tag of a line was made.
    enum Proof: String, Sendable {
        /// HMAC under the vault's audit key.
        case key = "hmac"
        /// Plain hash of the line, because the vault was locked.
        case none = "hash"
    }

    let sequence: UInt64
    /// The name of the event. A newer version may have written a name that is unknown here.
    let event: String
    let proof: Proof
    /// The tag of the previous line, 64 hexadecimal digits.
    let previous: ArraySlice<UInt8>
    /// The tag of this line, 64 hexadecimal digits.
    let tag: ArraySlice<UInt8>
    /// The bytes from which the tag is made.
    let tagged: ArraySlice<UInt8>
    /// The complete line, without the line feed.
    let bytes: ArraySlice<UInt8>

    static let maximumBytes = 2 << 10
    private static let digits = 64
    private static let start = Array(#"{"seq":"#.utf8)
    private static let eventLabel = Array(#","event":""#.utf8)
    private static let previousLabel = Array(#","prev":""#.utf8)
    private static let proofLabel = Array(#"","proof":""#.utf8)
    private static let tagLabel = Array(#"","tag":""#.utf8)
    private static let end = Array(#""}"#.utf8)

    /// Parses a line.
    ///
    /// - Returns: nil if the line does not begin and end as every line of the log does.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.maximumBytes, bytes.starts(with: Self.start) else { return nil }
        var rest = bytes
        func cut(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropLast(count) }
            return rest.suffix(count)
        }
        func cut(_ label: [UInt8]) -> Bool { cut(label.count)?.elementsEqual(label) == true }
        guard cut(Self.end), let tag = cut(Self.digits), cut(Self.tagLabel) else { return nil }
        // The closing quote of the proof is part of the label, and also of the tagged bytes.
        tagged = bytes[..<(rest.endIndex + 1)]
        guard let word = cut(4), let proof = Proof(rawValue: String(decoding: word, as: UTF8.self)),
            cut(Self.proofLabel), let previous = cut(Self.digits), cut(Self.previousLabel)
        else { return nil }
        rest = rest.dropFirst(Self.start.count)
        let number = rest.prefix { $0 != UInt8(ascii: ",") }
        guard let sequence = UInt64(String(decoding: number, as: UTF8.self)), sequence <= VaultLimits.lastNumber else {
            return nil
        }
        rest = rest.dropFirst(number.count)
        guard rest.starts(with: Self.eventLabel) else { return nil }
        event = String(
            decoding: rest.dropFirst(Self.eventLabel.count).prefix { $0 != UInt8(ascii: "\"") },
            as: UTF8.self
        )
        self.sequence = sequence
        self.proof = proof
        self.previous = previous
        self.tag = tag
        self.bytes = bytes
    }

    /// Encodes a line, and returns it with its line feed and the 32 bytes of its tag.
    static func make(
        _ entry: AuditEntry,
        times: Int,
        at timestamp: AuditTimestamp,
        after head: VaultKeys.AuditHead,
        key: SharedSecret?
    ) throws(PlatformError) -> (bytes: [UInt8], tag: [UInt8]) {
        var object: JSONObject = [
            "seq": .integer(Int64(clamping: head.next)),
            "event": .string(entry.event.rawValue),
            "result": .string(entry.result.rawValue),
            "time": .integer(timestamp.wall),
            "boot": .integer(timestamp.boot),
        ]
        object["endpoint"] = entry.endpoint.map { .string($0.text) }
        object["login"] = entry.login.map { .string($0.description) }
        object["tier"] = entry.strength.map { .integer(Int64($0.code)) }
        object["pid"] = entry.peer.map { .integer(Int64($0.pid)) }
        object["claimedBy"] = entry.peer?.claimedBy.map { .integer(Int64($0)) }
        object["client"] = entry.peer?.client.map { .string($0) }
        object["cgroup"] = entry.peer?.cgroup.map { .string($0) }
        if times > 1 { object["times"] = .integer(Int64(times)) }
        for (name, value) in entry.figures { object[name] = value }
        object["prev"] = .string(HexText.encode(head.tag))
        object["proof"] = .string((key == nil ? Proof.none : .key).rawValue)
        var bytes: [UInt8] = []
        object.serialize(into: &bytes)
        // The tag member replaces the closing brace.
        bytes.removeLast()
        let tag = try Self.tag(of: bytes, key: key)
        bytes += tagLabel.dropFirst() + Array(HexText.encode(tag).utf8) + end
        bytes.append(UInt8(ascii: "\n"))
        return (bytes, tag)
    }

    /// Computes a tag.
    ///
    /// - Returns: 32 bytes: HMAC-SHA-256 under the key, or SHA-256 without one.
    static func tag(of bytes: [UInt8], key: SharedSecret?) throws(PlatformError) -> [UInt8] {
        guard let key else { return SHA256.digest(of: bytes) }
        return try key.secret.withBytes { key throws(PlatformError) in try HMACSHA256.tag(of: bytes, key: key) }
    }

    /// The head of the log after this line; nil if the tag is not hexadecimal.
    var head: VaultKeys.AuditHead? {
        HexText.decode(String(decoding: tag, as: UTF8.self)).map { VaultKeys.AuditHead(sequence: sequence, tag: $0) }
    }

    /// The members of the line; nil if it is not valid JSON.
    var object: JSONObject? { try? JSONValue(parsing: Array(bytes)).objectValue }
}

/// The head of the log, and the state from which the next lines are made. Pure; `AuditWriter` writes the lines.
///
/// While the vault is unlocked, the tag of each line is an HMAC under its audit key. At other times there is no key
/// and the tag is a plain hash. The `prev` of the first line under the key then authenticates these lines as well.
struct AuditChain: Sendable {
    private(set) var head = VaultKeys.AuditHead.start
    private var key: SharedSecret?
    /// The head of the log that the vault knew when it was unlocked, until a `log.bound` line has recorded it.
    private var binding: VaultKeys.AuditHead?
    /// The number of lines without the key since the last line under it.
    private var open = 0
    /// The number of these that another process wrote, or that were on the disk when this process started.
    private var unproved = 0

    /// Continues after lines that this process did not write.
    ///
    /// - Parameter lines: the last lines of the log; at the start, all of it.
    mutating func adopt(_ lines: [AuditLine]) {
        for line in lines {
            switch line.proof {
            case .key: (open, unproved) = (0, 0)
            case .none: (open, unproved) = (open + 1, unproved + 1)
            }
        }
        if let last = lines.last?.head { head = last }
    }

    /// Starts to write lines under the key of a vault that was unlocked.
    ///
    /// - Parameter known: the head of the log in the vault's last save. If the log ends before it, the lines between
    ///   are lost permanently. The next line then gets the number after it, so that the gap remains visible.
    mutating func open(_ key: SharedSecret, known: VaultKeys.AuditHead) {
        self.key = key
        binding = known
        if known.sequence > head.sequence { head = known }
    }

    /// Stops writing under the key, because the vault was locked.
    mutating func close() {
        key = nil
        binding = nil
    }

    /// Makes the lines for an entry: one, or two if it is the first after the vault was unlocked.
    mutating func lines(
        for entry: AuditEntry,
        times: Int = 1,
        at timestamp: AuditTimestamp
    ) throws(PlatformError) -> [UInt8] {
        guard let binding, entry.event != .logRotated, entry.event != .logTorn else {
            return try line(for: entry, times: times, at: timestamp)
        }
        self.binding = nil
        let bound = AuditEntry(
            .logBound,
            figures: [
                "unproved": .integer(Int64(unproved)),
                "open": .integer(Int64(open)),
                "known": .integer(Int64(clamping: binding.sequence)),
                "knownTag": .string(HexText.encode(binding.tag)),
            ]
        )
        return try line(for: bound, times: 1, at: timestamp) + line(for: entry, times: times, at: timestamp)
    }

    private mutating func line(
        for entry: AuditEntry,
        times: Int,
        at timestamp: AuditTimestamp
    ) throws(PlatformError) -> [UInt8] {
        // `log.rotated` and `log.torn` may precede `log.bound`. Such lines are written without the key.
        let key = binding == nil ? self.key : nil
        let (bytes, tag) = try AuditLine.make(entry, times: times, at: timestamp, after: head, key: key)
        head = VaultKeys.AuditHead(sequence: head.next, tag: tag)
        if key == nil { open += 1 } else { (open, unproved) = (0, 0) }
        return bytes
    }
}
