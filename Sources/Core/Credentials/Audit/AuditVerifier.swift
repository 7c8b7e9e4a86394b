// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform

/// Verifies a log, from the oldest line that is kept to the newest. Pure.
struct AuditVerifier {
    private let key: SharedSecret
    private let lines: [(line: AuditLine, file: String, number: Int)]
    private var report = AuditReport()

    private init(_ key: SharedSecret, _ lines: [(line: AuditLine, file: String, number: Int)]) {
        self.key = key
        self.lines = lines
    }

    /// Verifies the log.
    ///
    /// - Parameters:
    ///   - files: oldest first.
    ///   - heads: numbers and tags of lines that are known to have been written.
    static func report(
        on files: [AuditFolder.Content],
        key: SharedSecret,
        heads: [VaultKeys.AuditHead]
    ) throws(PlatformError) -> AuditReport {
        var lines: [(line: AuditLine, file: String, number: Int)] = []
        for file in files {
            for (offset, bytes) in file.lines.enumerated() {
                guard let line = AuditLine(bytes) else {
                    var verifier = AuditVerifier(key, lines)
                    try verifier.check(heads: [])
                    if verifier.report.fault == nil {
                        verifier.report.fault = AuditFault(file: file.name, line: Int64(offset + 1), code: .unreadable)
                    }
                    return verifier.report
                }
                lines.append((line, file.name, offset + 1))
            }
        }
        var verifier = AuditVerifier(key, lines)
        try verifier.check(heads: heads)
        return verifier.report
    }

    private mutating func check(heads: [VaultKeys.AuditHead]) throws(PlatformError) {
        report.lines = Int64(lines.count)
        report.first = lines.first.map { Int64(clamping: $0.line.sequence) }
        report.last = lines.last.map { Int64(clamping: $0.line.sequence) }
        let start = try firstOfThisVault()
        // The key of an earlier vault can no longer be checked, so it proves nothing about lines up to its last one.
        report.unproved = Int64((lines[..<start].lastIndex { $0.line.proof == .key } ?? -1) + 1)
        var expected: UInt64?
        for index in lines.indices {
            let line = lines[index].line
            if let fault = try fault(at: index, expected: expected, isOfThisVault: index >= start) {
                return find(fault, at: index)
            }
            expected = line.sequence + 1
            if index >= start, let fault = note(line, before: index) { return find(fault, at: index) }
        }
        for head in heads where head.sequence > 0 {
            if let (index, fault) = fault(of: head) { return find(fault, at: index) }
        }
    }

    private mutating func find(_ fault: AuditFault, at index: Int) {
        let place = lines.indices.contains(index) ? lines[index] : nil
        report.fault = fault
        report.fault?.file = place?.file ?? AuditFolder.fileName
        report.fault?.line = Int64(place?.number ?? 0)
    }

    /// The index of the first line that can be verified. A vault that was made or restored has a new key, and lines
    /// under an earlier key can no longer be verified.
    private func firstOfThisVault() throws(PlatformError) -> Int {
        let beginnings = [AuditEvent.vaultMade, .vaultRestored].map(\.rawValue)
        for index in lines.indices.reversed() where beginnings.contains(lines[index].line.event) {
            let line = lines[index].line
            guard line.proof == .key, try hasRightTag(line) else { continue }
            // The `log.bound` line is before this one.
            return max(0, index - 1)
        }
        return 0
    }

    private func hasRightTag(_ line: AuditLine) throws(PlatformError) -> Bool {
        let tag = try AuditLine.tag(of: Array(line.tagged), key: line.proof == .key ? key : nil)
        return ConstantTime.areEqual(Array(HexText.encode(tag).utf8), Array(line.tag))
    }

    private func fault(at index: Int, expected: UInt64?, isOfThisVault: Bool) throws(PlatformError) -> AuditFault? {
        let line = lines[index].line
        if isOfThisVault || line.proof == .none, try !hasRightTag(line) {
            let next = index + 1 < lines.count ? lines[index + 1].line : nil
            return next.map { $0.previous.elementsEqual(line.tag) } ?? false
                ? AuditFault(.changed) : AuditFault(.foreign)
        }
        guard let expected else { return try faultOfFirst(line) }
        if line.sequence > expected { return AuditFault(.missing, lines: expected...(line.sequence - 1)) }
        if line.sequence < expected { return AuditFault(.misplaced, expected: expected, found: line.sequence) }
        return line.previous.elementsEqual(lines[index - 1].line.tag) ? nil : AuditFault(.replaced)
    }

    /// Checks that the log begins with line 1, or with the first line that the last rotation kept.
    private func faultOfFirst(_ line: AuditLine) throws(PlatformError) -> AuditFault? {
        let rotated = lines.last { $0.number == 1 && $0.line.event == AuditEvent.logRotated.rawValue }?.line
        var first: UInt64 = 1
        if let kept = rotated?.object?["first"]?.integerValue { first = UInt64(clamping: kept) }
        if line.sequence > first { return AuditFault(.missing, lines: first...(line.sequence - 1)) }
        guard line.sequence == 1 else { return nil }
        return line.previous.allSatisfy { $0 == UInt8(ascii: "0") } ? nil : AuditFault(.replaced)
    }

    /// Adds a valid line to the report.
    private mutating func note(_ line: AuditLine, before index: Int) -> AuditFault? {
        switch line.proof {
        case .key: report.keyed += 1
        case .none:
            let before = index > 0 ? lines[index - 1].line : nil
            if let before, before.proof == .key, before.event != AuditEvent.vaultLocked.rawValue,
                report.unclean.count < AuditReport.maximumUnclean
            {
                report.unclean.append(Int64(clamping: before.sequence))
            }
        }
        switch AuditEvent(rawValue: line.event) {
        case .logLost:
            report.lost.addSaturating(line.object?["events"]?.integerValue ?? 0)
        case .logBound where line.proof == .key:
            guard let object = line.object, let unproved = object["unproved"]?.integerValue,
                let known = object["known"]?.integerValue, let tag = object["knownTag"]?.stringValue
            else { return AuditFault(.unreadable) }
            report.unproved.addSaturating(unproved)
            // The head that the vault knew when it was unlocked must still be there.
            guard known > 0, let index = self.index(of: UInt64(known)) else { return nil }
            return lines[index].line.tag.elementsEqual(tag.utf8) ? nil : AuditFault(.replaced)
        default: break
        }
        return nil
    }

    private func index(of sequence: UInt64) -> Int? {
        guard let first = lines.first?.line.sequence, sequence >= first else { return nil }
        let index = Int(sequence - first)
        return lines.indices.contains(index) && lines[index].line.sequence == sequence ? index : nil
    }

    private func fault(of head: VaultKeys.AuditHead) -> (Int, AuditFault)? {
        let last = lines.last?.line.sequence ?? 0
        guard head.sequence <= last else {
            return (lines.count - 1, AuditFault(.truncated, lines: (last + 1)...head.sequence))
        }
        guard let index = index(of: head.sequence) else { return nil }
        return lines[index].line.head == head ? nil : (index, AuditFault(.foreign))
    }
}

extension AuditReport {
    /// At most this many lines are reported as `unclean`.
    fileprivate static let maximumUnclean = 100

    /// A report on no lines.
    init() { self.init(lines: 0, keyed: 0, unproved: 0, lost: 0, unclean: []) }
}

extension AuditFault {
    /// A fault of a line, whose place is added later.
    fileprivate init(_ code: Code, lines: ClosedRange<UInt64>? = nil, expected: UInt64? = nil, found: UInt64? = nil) {
        self.init(
            file: "",
            line: 0,
            code: code,
            first: lines.map { Int64(clamping: $0.lowerBound) },
            last: lines.map { Int64(clamping: $0.upperBound) },
            expected: expected.map { Int64(clamping: $0) },
            found: found.map { Int64(clamping: $0) }
        )
    }
}
