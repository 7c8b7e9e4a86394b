// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The entries of a list by their names, and what is wrong with the others.
struct ListContents: Sendable, Hashable {
    private let prefix: [UInt8]
    private let limits: EtcdLimits
    private(set) var entries: [[UInt8]: ListEntry] = [:]
    /// What is wrong with the other keys. Together with the entries there are at most as many as entries may be.
    private(set) var faults: [[UInt8]: String] = [:]
    /// How often there was no room for a key, since the whole list was read last.
    private(set) var dropped = 0
    /// There is more behind the last key that was read for these.
    var isCut = false

    /// A label of a service instance is no longer (RFC 6763, section 4.1.1).
    private static let maximumName = 63

    init(prefix: String, limits: EtcdLimits) {
        self.prefix = Array("\(prefix)/".utf8)
        self.limits = limits
    }

    /// Entries that were left out could be taken now.
    var hasRoomAgain: Bool { !isFull && (isCut || dropped > 0) }

    var isFull: Bool { entries.count + faults.count >= limits.entries }

    mutating func put(_ pair: EtcdPair) {
        guard pair.key.starts(with: prefix) else { return }
        let name = Self.kept(pair.key.dropFirst(prefix.count))
        remove(name)
        guard !isFull else {
            dropped += 1
            return
        }
        guard (1...Self.maximumName).contains(name.count) else {
            faults[name] = "the name is not 1 to \(Self.maximumName) bytes long"
            return
        }
        do throws(ListEntry.Fault) {
            entries[name] = try ListEntry(parsing: pair.value, limits: limits)
        } catch {
            faults[name] = "\(error)"
        }
    }

    mutating func delete(key: [UInt8]) {
        guard key.starts(with: prefix) else { return }
        remove(Self.kept(key.dropFirst(prefix.count)))
    }

    private mutating func remove(_ name: [UInt8]) {
        entries[name] = nil
        faults[name] = nil
    }

    /// The name itself. Of one that is too long its beginning and what tells it from others, since it may be very long; too
    /// long is that as well.
    private static func kept(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard name.count > maximumName else { return Array(name) }
        var hasher = Hasher()
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        return name.prefix(maximumName) + withUnsafeBytes(of: hasher.finalize()) { Array($0) }
    }

    /// What of the list is not taken.
    var omissions: [SourceOmission] {
        var omissions: [SourceOmission] = []
        if let first = faults.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let isWhole = first.key.count <= Self.maximumName
            let name = "\(Printable(bytes: Array(first.key.prefix(Self.maximumName))))\(isWhole ? "" : "…")"
            omissions.append(.entriesIgnored(count: faults.count, example: name, reason: first.value))
        }
        if isCut {
            omissions.append(.listCut(limit: limits.entries))
        } else if dropped > 0 {
            omissions.append(.listFull(limit: limits.entries, dropped: dropped))
        }
        return omissions
    }
}
