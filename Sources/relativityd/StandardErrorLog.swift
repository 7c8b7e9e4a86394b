// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Logging
import Platform

/// Log lines on standard error: with a priority prefix where the journal reads them (sd-daemon(3)), else with the level.
/// Messages and values are made printable: they may carry foreign text, which may have been made so before.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let isJournal: Bool

    init(level: Logger.Level, environment: Environment) {
        logLevel = level
        isJournal = environment["JOURNAL_STREAM"] != nil
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Printable(again: "\($0.value)"))" }.joined()
        let prefix = isJournal ? "<\(Self.priority(event.level))>" : "relativityd: \(event.level): "
        let line = Array("\(prefix)\(Printable(again: "\(event.message)"))\(facts)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
