// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Logging
import Platform

/// Writes log entries to systemd's journal with their metadata as fields, if standard error is the journal; otherwise as
/// lines to standard error. Messages and values are made printable, because they may contain untrusted text. Text that
/// is already printable stays unchanged.
struct DaemonLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let sink: LogSink

    init(level: Logger.Level, sink: LogSink) {
        logLevel = level
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { (name: $0.key, value: "\(Printable(again: "\($0.value)"))") }
        sink.write(event.level, "\(Printable(again: "\(event.message)"))", facts)
    }
}

/// The destination of log entries.
struct LogSink: Sendable {
    private let journal: Journal?
    /// Whether systemd reads standard error, which then takes a priority in front of a line (sd-daemon(3)).
    private let isStream: Bool

    init(_ environment: Environment) {
        journal = Journal(environment)
        isStream = Journal.isStandardError(environment)
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - message: printable text.
    ///   - facts: names and printable values. A reader of plain text sees them after the message.
    func write(_ level: Logger.Level, _ message: String, _ facts: [(name: String, value: String)]) {
        let text = message + facts.map { " \($0.name)=\($0.value)" }.joined()
        if let journal {
            var entry = JournalEntry(priority: Self.priority(level), message: text)
            for fact in facts { entry.add(fact: fact.name, fact.value) }
            if journal.send(entry) { return }
        }
        let prefix = isStream ? "<\(Self.priority(level))>" : "relativityd: \(level): "
        let line = Array("\(prefix)\(text)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Writes the reason why the daemon did not start, an entry for each line of it.
    func write(_ error: any Error) {
        for line in "\(error)".split(separator: "\n") {
            guard let journal else {
                Main.write("relativityd: error: \(line)\n", to: STDERR_FILENO)
                continue
            }
            var entry = JournalEntry(priority: Self.priority(.error), message: "\(Printable(again: String(line)))")
            for fact in (error as? StartError)?.facts ?? [] {
                entry.add(fact: fact.name, "\(Printable(again: fact.value))")
            }
            if !journal.send(entry) { Main.write("<3>\(line)\n", to: STDERR_FILENO) }
        }
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
