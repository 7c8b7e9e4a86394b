// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

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
    mutating func lines(for entry: AuditEntry, times: Int = 1, at moment: AuditMoment) throws(PlatformError) -> [UInt8]
    {
        guard let binding, entry.event != .logRotated, entry.event != .logTorn else {
            return try line(for: entry, times: times, at: moment)
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
        return try line(for: bound, times: 1, at: moment) + line(for: entry, times: times, at: moment)
    }

    private mutating func line(
        for entry: AuditEntry,
        times: Int,
        at moment: AuditMoment
    ) throws(PlatformError) -> [UInt8] {
        // `log.rotated` and `log.torn` may precede `log.bound`. Such lines are written without the key.
        let key = binding == nil ? self.key : nil
        let (bytes, tag) = try AuditLine.make(entry, times: times, at: moment, after: head, key: key)
        head = VaultKeys.AuditHead(sequence: head.next, tag: tag)
        if key == nil { open += 1 } else { (open, unproved) = (0, 0) }
        return bytes
    }
}
