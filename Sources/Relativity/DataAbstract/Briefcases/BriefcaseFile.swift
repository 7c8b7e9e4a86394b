// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import Platform

/// A briefcase on disk, open for writing: one file, or a folder with a file for each table.
///
/// A folder has `NAME.daBriefcase` for each table, `Properties.plist`, and `Changes.pending`, a pending file. The names of
/// the files of tables, and the file of changes, are our own. Each file is written aside and renamed, with mode 0600, so
/// that after a crash it has the old content or the new one. Reading needs no lock.
///
/// Saving blocks the thread until the files are durable.
public final class BriefcaseFile: Sendable {
    /// The form of a briefcase.
    public enum Form: Sendable, CaseIterable {
        case file
        case folder
    }

    private static let suffix = ".daBriefcase"
    private static let propertiesName = "Properties.plist"
    private static let changesName = "Changes.pending"

    /// The path.
    public let path: String
    /// The form.
    public let form: Form
    private let lock: LockFile

    /// Opens a briefcase for writing. A new folder is created with mode 0700, a new file by the first `save`.
    ///
    /// - Parameters:
    ///   - form: nil for that of an existing briefcase, or a file.
    ///   - patience: how long to wait while the briefcase is in use. It blocks the thread.
    /// - Throws: `inUse`; `otherForm` if the path has something else; `system`.
    public init(_ path: String, form: Form? = nil, waiting patience: Duration = .zero) throws(BriefcaseError) {
        let found = try Self.form(of: path)
        let form = form ?? found ?? .file
        guard found ?? form == form else { throw .otherForm }
        self.path = path
        self.form = form
        if form == .folder, found == nil {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("mkdir", errno) }
        }
        do throws(PendingFileError) {
            if form == .folder, found == nil { try DurableFile.synchronizeDirectory(of: path) }
            lock = try LockFile.locked(Self.lockPath(path, form), waiting: patience)
        } catch {
            throw BriefcaseError(error)
        }
    }

    /// The lock of a folder is that of its pending file.
    private static func lockPath(_ path: String, _ form: Form) -> String {
        (form == .file ? path : path + "/" + changesName) + ".lock"
    }

    /// Returns the form of the briefcase at a path; nil if there is none.
    ///
    /// - Throws: `otherForm` if there is something else; `system`.
    public static func form(of path: String) throws(BriefcaseError) -> Form? {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw .system("stat", errno) }
            return nil
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: throw .otherForm
        }
    }

    /// Saves a briefcase.
    ///
    /// A file is replaced as a whole. In a folder the changes are written first, then the tables, then the properties; if
    /// the version changes, the folder has none meanwhile, so that a mixture of versions is never loaded.
    ///
    /// - Parameter names: the tables to write in a folder, in any case; nil for all. Files of tables that are not in the briefcase are
    ///   removed in any case.
    /// - Throws: `invalidTable`, `invalidProperty`, `tables`, `tooLarge`, `system`.
    public func save(_ briefcase: Briefcase, tables names: Set<String>? = nil) throws(BriefcaseError) {
        guard form == .folder else { return try Self.replace(path, with: try briefcase.encoded()) }
        for table in briefcase.tables { try Briefcase.check(table.name) }
        let properties = try PropertyList.encode(briefcase.properties)
        var old = try Self.properties(in: path)
        if let version = old[Briefcase.versionKey], version != briefcase.version {
            old[Briefcase.versionKey] = nil
            try Self.replace(path + "/" + Self.propertiesName, with: try PropertyList.encode(old))
        }
        if let changes = try briefcase.encodedChanges() {
            try Self.replace(path + "/" + Self.changesName, with: changes)
        } else {
            try Self.remove([Self.changesName], in: path)
        }
        let chosen = names.map { Set($0.map { NameKey($0) }) }
        for table in briefcase.tables where chosen?.contains(NameKey(table.name)) ?? true {
            try Self.replace(path + "/" + Self.fileName(of: table.name), with: try Briefcase.encode(table))
        }
        let kept = Set(briefcase.tables.map { Self.fileName(of: $0.name) })
        try Self.remove(try Self.tableFiles(in: path).filter { !kept.contains($0) }, in: path)
        try Self.replace(path + "/" + Self.propertiesName, with: properties)
    }

    /// Removes the briefcase. Other files in the folder stay, and the folder with them.
    ///
    /// - Throws: `system`.
    public func remove() throws(BriefcaseError) {
        guard form == .folder else {
            try Self.pending { () throws(PendingFileError) in
                try DurableFile.remove(path)
                lock.removeName()
                try DurableFile.synchronizeDirectory(of: path)
            }
            return
        }
        // Without properties there is no version, so that what is left is not loaded.
        try Self.remove([Self.propertiesName], in: path)
        try Self.remove(try Self.ownNames(in: path), in: path)
        lock.removeName()
        rmdir(path)
    }

    private static func replace(_ path: String, with bytes: ByteBuffer) throws(BriefcaseError) {
        try pending { () throws(PendingFileError) in
            close(try DurableFile.replace(path, with: bytes))
            try DurableFile.synchronizeDirectory(of: path)
        }
    }

    private static func remove(_ names: [String], in folder: String) throws(BriefcaseError) {
        guard !names.isEmpty else { return }
        try pending { () throws(PendingFileError) in
            for name in names { try DurableFile.remove(folder + "/" + name) }
            try DurableFile.synchronizeDirectory(of: folder + "/" + names[0])
        }
    }

    private static func pending<Result>(
        _ body: () throws(PendingFileError) -> Result
    ) throws(BriefcaseError) -> Result {
        do throws(PendingFileError) {
            return try body()
        } catch {
            throw BriefcaseError(error)
        }
    }
}

// MARK: Reading

extension BriefcaseFile {
    fileprivate static func read(
        _ path: String,
        _ codePage: (_ name: String?) -> CodePage?
    ) throws(BriefcaseError) -> Briefcase? {
        switch try form(of: path) {
        case nil: return nil
        case .file:
            return try contents(of: path).map { bytes throws(BriefcaseError) in
                try Briefcase(decoding: bytes, codePage: codePage)
            }
        case .folder:
            var briefcase = Briefcase()
            briefcase.properties = try properties(in: path)
            let page = codePage(briefcase.properties[Briefcase.codePageKey])
            briefcase.changes = try Briefcase.changes(try contents(of: path + "/" + changesName), page)
            for name in try tableFiles(in: path) {
                // The file may have been removed meanwhile.
                guard let bytes = try contents(of: path + "/" + name) else { continue }
                let tables = try Briefcase.tables(bytes, file: name)
                guard tables.count == 1 else {
                    throw .tables(file: name, .malformed(reason: "\(tables.count) tables", offset: 0))
                }
                try briefcase.add(tables[0].reading(in: page))
            }
            return briefcase
        }
    }

    /// The version of a folder is read without its tables.
    fileprivate static func outdated(_ path: String, _ version: String) throws(BriefcaseError) -> LoadedBriefcase? {
        guard try form(of: path) == .folder else { return nil }
        let found = try properties(in: path)[Briefcase.versionKey]
        return found == version ? nil : .outdated(version: found)
    }

    private static func contents(of path: String) throws(BriefcaseError) -> ByteBuffer? {
        try pending { () throws(PendingFileError) in try DurableFile.read(path) }
    }

    fileprivate static func properties(in folder: String) throws(BriefcaseError) -> [String: String] {
        guard let bytes = try contents(of: folder + "/" + propertiesName) else { return [:] }
        return try PropertyList.decode(bytes)
    }

    /// The names of the files of tables, sorted.
    private static func tableFiles(in folder: String) throws(BriefcaseError) -> [String] {
        try names(in: folder).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    }

    /// Whether a path is a folder with files of a briefcase, which may be damaged.
    package static func isFolder(_ path: String) -> Bool {
        (try? form(of: path)) == .folder && (try? ownNames(in: path))?.isEmpty == false
    }

    private static func ownNames(in folder: String) throws(BriefcaseError) -> [String] {
        try names(in: folder).filter { $0 == propertiesName || $0 == changesName || $0.hasSuffix(suffix) }
    }

    private static func names(in folder: String) throws(BriefcaseError) -> [String] {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("opendir", errno) }
        defer { close(descriptor) }
        do throws(PlatformError) {
            return try DirectoryNames.all(in: descriptor, path: folder)
        } catch {
            guard case .system(let call, _, let errno) = error else { throw .system("readdir", EIO) }
            throw .system(call, errno)
        }
    }

    /// The name of a table's file: `%` with two hexadecimal digits for a slash, a percent sign, a control character, and
    /// a point at the beginning.
    private static func fileName(of table: String) -> String {
        var name: [UInt8] = []
        for byte in table.utf8 {
            let isPlain = byte >= 0x20 && byte != 0x2F && byte != 0x25 && (byte != 0x2E || !name.isEmpty)
            let digits = Array("0123456789ABCDEF".utf8)
            name += isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: name, as: UTF8.self) + suffix
    }
}

extension Briefcase {
    /// Reads a briefcase of any version: a file or a folder.
    ///
    /// - Parameter codePage: returns the code page of 8-bit text for the name in the properties; nil for Latin-1.
    /// - Returns: nil if there is none.
    /// - Throws: `otherForm`, `tables`, `properties`, `changes`, `duplicateTable`, `tooLarge`, `system`.
    public static func load(
        _ path: String,
        codePage: (_ name: String?) -> CodePage? = Briefcase.codePage
    ) throws(BriefcaseError) -> Briefcase? {
        try BriefcaseFile.read(path, codePage)
    }

    /// Reads the properties of a briefcase. Of a folder no table is read.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: the errors of `load`.
    public static func properties(_ path: String) throws(BriefcaseError) -> [String: String]? {
        guard try BriefcaseFile.form(of: path) == .folder else { return try load(path)?.properties }
        return try BriefcaseFile.properties(in: path)
    }

    /// Reads a briefcase if it has this version. The errors are those of the other form.
    public static func load(_ path: String, version: String) throws(BriefcaseError) -> LoadedBriefcase {
        if let outdated = try BriefcaseFile.outdated(path, version) { return outdated }
        guard let briefcase = try load(path) else { return .absent }
        return briefcase.version == version ? .loaded(briefcase) : .outdated(version: briefcase.version)
    }
}

/// Keeps a briefcase up to date while its changes are applied.
public struct BriefcaseStore: ChangeStore {
    private let file: BriefcaseFile
    private let briefcase: Briefcase

    /// Creates a store of the changes of a briefcase.
    public init(_ file: BriefcaseFile, _ briefcase: Briefcase) {
        (self.file, self.briefcase) = (file, briefcase)
    }

    /// Saves the changes, and the rows that the server has as far as they are known.
    public func save(_ changes: inout ChangeSet) throws(PendingFileError) {
        var briefcase = briefcase
        do throws(TableError) {
            try briefcase.update(from: changes)
        } catch {
            throw .tooLarge
        }
        // A call that is being sent has to be noted.
        briefcase.changes = changes
        do throws(BriefcaseError) {
            try file.save(briefcase, tables: Set(changes.tables.map(\.name)))
        } catch {
            throw error.pendingFileError
        }
    }
}
