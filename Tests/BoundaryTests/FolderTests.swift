// SPDX-License-Identifier: Apache-2.0

import Testing

/// The table of docs/folders.md: the folders of a module, the lowest first. A file names only types that are declared in its
/// own folder, in a lower one, or in a file beside the folders.
@Suite("Folders")
struct FolderTests {
    @Test("the table lists the folders of every module that has several")
    func tableIsComplete() throws {
        var folders: [String: Set<String>] = [:]
        for file in try FolderFile.all() {
            guard let folder = file.folder else { continue }
            folders[file.module, default: []].insert(folder)
        }
        let table = try FolderTable()
        #expect(table.order.mapValues { Set($0) } == folders.filter { $0.value.count > 1 })
    }

    @Test("a file names only types of lower folders")
    func order() throws {
        let table = try FolderTable()
        let files = try FolderFile.all()
        for violation in table.violations(in: files) { Issue.record("\(violation)") }
        #expect(table.names(in: files) > 500, "names of types of other folders are found")
    }

    @Test("a name of a higher folder is found in each folder")
    func plantedNames() throws {
        let table = try FolderTable()
        for (module, order) in table.order {
            let declarations = order.map { FolderFile(module: module, folder: $0, text: "package struct Made\($0) {}") }
            for (low, high) in zip(order, order.dropFirst()) {
                let planted = FolderFile(module: module, folder: low, text: "    let made: Made\(high)?")
                #expect(table.violations(in: declarations + [planted]).count == 1, "\(module)/\(low)")
                let allowed = FolderFile(module: module, folder: high, text: "    let made: Made\(low)?")
                #expect(table.violations(in: declarations + [allowed]).isEmpty, "\(module)/\(high)")
            }
        }
    }
}

/// A Swift file of a module, with the names that it declares and uses.
struct FolderFile {
    let path: String
    let module: String
    /// Nil for a file beside the folders.
    let folder: String?
    /// The types that are declared at the top of the file and visible in others.
    private(set) var declared: Set<String> = []
    /// Words that begin with a capital letter outside of comments and literals, and do not follow a dot.
    private(set) var used: Set<String> = []

    init(module: String, folder: String?, path: String = "planted", text: String) {
        self.path = path
        self.module = module
        self.folder = folder
        var isInLiteral = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = Self.words(of: line, isInLiteral: &isInLiteral)
            used.formUnion(words.filter { $0.utf8.first.map { (0x41...0x5A).contains($0) } == true })
            guard line.first != UInt8(ascii: " "), words.first != "private", words.first != "fileprivate",
                let keyword = words.firstIndex(where: { Self.keywords.contains($0) }),
                words.indices.contains(keyword + 1)
            else { continue }
            declared.insert(words[keyword + 1])
        }
    }

    private static let keywords: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    /// The files of all modules.
    static func all() throws -> [FolderFile] {
        try Repository.files(in: "Sources", ending: ".swift").compactMap { path in
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count > 3 else { return nil }
            let folder = parts.count > 4 ? parts[3] : nil
            guard folder != "Generated" else { return nil }
            return FolderFile(module: parts[2], folder: folder, path: path, text: try Repository.text(path))
        }
    }

    private static func words(of line: Substring.UTF8View, isInLiteral: inout Bool) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var isInQuotes = false
        var quotes = 0
        var before: UInt8 = 0
        var beforeWord: UInt8 = 0
        for byte in line {
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x5F
            if isLetter, !isInQuotes, !isInLiteral {
                if word.isEmpty { beforeWord = before }
                word.append(byte)
            } else {
                if !word.isEmpty, beforeWord != UInt8(ascii: ".") {
                    words.append(String(decoding: word, as: UTF8.self))
                }
                word = []
            }
            if byte == UInt8(ascii: "\""), before != UInt8(ascii: "\\") {
                quotes += 1
                isInQuotes.toggle()
                if quotes == 3 {
                    isInLiteral.toggle()
                    isInQuotes = false
                }
            } else {
                if byte == UInt8(ascii: "/"), before == byte, !isInQuotes, !isInLiteral { return words }
                quotes = 0
            }
            before = byte
        }
        if !word.isEmpty, beforeWord != UInt8(ascii: ".") { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }
}

struct FolderTable {
    /// The folders of each module, the lowest first.
    private(set) var order: [String: [String]] = [:]

    init() throws {
        for line in try Repository.lines("docs/folders.md") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
            guard let module = cells.first?.first, cells.count > 1 else { continue }
            order[module] = cells[1]
        }
    }

    /// How many names of types of other folders the files use.
    func names(in files: [FolderFile]) -> Int {
        uses(in: files) { _, _ in true }.count
    }

    /// The files that name types of higher folders.
    func violations(in files: [FolderFile]) -> [String] {
        uses(in: files) { own, other in own < other }
    }

    private func uses(in files: [FolderFile], where isCounted: (_ own: Int, _ other: Int) -> Bool) -> [String] {
        var found: [String] = []
        for (module, order) in order {
            let files = files.filter { $0.module == module }
            var levels: [String: Set<Int?>] = [:]
            for file in files {
                let level = file.folder.flatMap { order.firstIndex(of: $0) }
                for type in file.declared { levels[type, default: []].insert(level) }
            }
            for file in files {
                guard let own = file.folder.flatMap({ order.firstIndex(of: $0) }) else { continue }
                for type in file.used.sorted() {
                    // A name that is declared in several folders belongs to none of them.
                    guard let places = levels[type], places.count == 1, let level = places.first, let other = level,
                        other != own, isCounted(own, other)
                    else { continue }
                    found.append("\(file.path) names \(type) of \(module)/\(order[other])")
                }
            }
        }
        return found
    }
}
