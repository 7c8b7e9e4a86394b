// SPDX-License-Identifier: Apache-2.0

import Configuration
import Credentials
import Discovery
import Endpoints
import LocalAPI
import Locks
import Registry

/// Conversions of reports from the modules to notes of the API.
extension ManagerAPI.Note {
    init(_ problem: StateFileProblem) {
        switch problem {
        case .setAside(let path, let movedTo, let reason):
            self.init(code: .fileSetAside, path: path, movedTo: movedTo, detail: reason)
        case .unusable(let path, let reason): self.init(code: .fileUnusable, path: path, detail: reason)
        case .sessionExportIgnored(let path): self.init(code: .sessionExportIgnored, path: path)
        }
    }

    init(_ problem: ConfiguredLoginsProblem) {
        switch problem {
        case .file(let path, let reason): self.init(code: .loginFileIgnored, path: path, detail: reason)
        case .tooManyFiles(let count, let limit):
            self.init(code: .loginFilesCut, count: Int64(count), limit: Int64(limit))
        }
    }

    init(_ problem: AdministratorsFileProblem) {
        switch problem {
        case .file(let path, let isKept, let reason):
            self.init(code: isKept ? .serverFileKept : .serverFileIgnored, path: path, detail: reason)
        case .directory(let path, let isKept, let reason):
            self.init(code: isKept ? .serverDirectoryKept : .serverDirectoryIgnored, path: path, detail: reason)
        case .noDirectory(let path): self.init(code: .serverDirectoryMissing, path: path)
        case .tooManyFiles(let path, let count, let limit):
            self.init(code: .serverFilesCut, path: path, count: Int64(count), limit: Int64(limit))
        }
    }

    init(_ shortage: CacheShortage) {
        self.init(
            code: .avahiCacheFull,
            path: AvahiConfiguration.path,
            limit: Int64(shortage.limit),
            needed: Int64(shortage.remedy)
        )
    }

    init(_ omission: SourceOmission, of source: SourceName) {
        switch omission {
        case .addressesRefused(let count):
            self.init(code: .addressesRefused, source: source.text, count: Int64(count))
        case .instancesIgnored(let count):
            self.init(code: .instancesIgnored, source: source.text, count: Int64(count))
        case .instancesUnplaced(let count):
            self.init(code: .instancesUnplaced, source: source.text, count: Int64(count))
        case .entriesIgnored(let count, let example, let reason):
            self.init(code: .entriesIgnored, source: source.text, name: example, count: Int64(count), detail: reason)
        case .entriesUnplaced(let count):
            self.init(code: .entriesUnplaced, source: source.text, count: Int64(count))
        case .listCut(let limit): self.init(code: .listCut, source: source.text, limit: Int64(limit))
        case .listFull(let limit, let dropped):
            self.init(code: .listFull, source: source.text, count: Int64(dropped), limit: Int64(limit))
        }
    }

    init(_ event: DaemonConfiguration.LockReason, unnoticed reason: String) {
        let code: Code =
            switch event {
            case .suspend: .sleepUnnoticed
            case .sessionLock: .sessionLockUnnoticed
            }
        self.init(code: code, detail: reason)
    }
}

/// The problems that were found at the start.
final class StatusNotes: Sendable {
    private let notes = Lock<[ManagerAPI.Note]>([])

    func add(_ note: ManagerAPI.Note) { notes.withLock { $0.append(note) } }

    var all: [ManagerAPI.Note] { notes.withLock { $0 } }
}
