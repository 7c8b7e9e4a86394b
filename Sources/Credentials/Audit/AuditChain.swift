// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// Where the log stands, and what the next lines are. Pure; `AuditWriter` writes them.
///
/// While the vault is open each line is tagged under its audit key. At other times there is no key, and the tag is a plain
/// hash; the first line under the key then vouches for them all through its `prev`.
struct AuditChain: Sendable {
    private(set) var head = VaultKeys.AuditHead.start
    private var key: SharedSecret?
    /// What the vault knew of the log when it was opened, until a line has told it.
    private var binding: VaultKeys.AuditHead?
    /// Lines without the key since the last one under it.
    private var open = 0
    /// Those among them that another process wrote, or that were on the disk when this one started.
    private var unproved = 0

    /// - Parameter lines: the last ones of the log, which this process did not write: all of it at the start.
    mutating func adopt(_ lines: [AuditLine]) {
        for line in lines {
            switch line.proof {
            case .key: (open, unproved) = (0, 0)
            case .none: (open, unproved) = (open + 1, unproved + 1)
            }
        }
        if let last = lines.last?.head { head = last }
    }

    /// The vault was opened.
    ///
    /// - Parameter known: the head of the log as the vault has it from its last save. If the log ends before, the lines
    ///   between are missing for good: the chain goes on behind them, so that the gap shows.
    mutating func open(_ key: SharedSecret, known: VaultKeys.AuditHead) {
        self.key = key
        binding = known
        if known.sequence > head.sequence { head = known }
    }

    /// The vault was locked.
    mutating func close() {
        key = nil
        binding = nil
    }

    /// The bytes of the lines that tell of an entry: one, or two after the vault was opened.
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
        // Lines of the log itself that come before the binding one belong to the time before.
        let key = binding == nil ? self.key : nil
        let (bytes, tag) = try AuditLine.make(entry, times: times, at: moment, after: head, key: key)
        head = VaultKeys.AuditHead(sequence: head.next, tag: tag)
        if key == nil { open += 1 } else { (open, unproved) = (0, 0) }
        return bytes
    }
}
