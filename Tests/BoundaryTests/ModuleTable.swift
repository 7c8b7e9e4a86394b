// SPDX-License-Identifier: Apache-2.0

/// The table of modules in ARCHITECTURE.md.
struct ModuleTable {
    struct Row {
        let level: Int
        let mayImport: Set<String>
    }

    private(set) var rows: [String: Row] = [:]
    /// The modules that every module may import.
    private(set) var common: Set<String> = []

    init() throws {
        for line in try Repository.lines("ARCHITECTURE.md") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimming(" ") }
            guard cells.count == 4 else { continue }
            if cells[0] == "–" { common = Self.names(in: cells[3]) }
            guard let level = Int(cells[0]), let module = Self.names(in: cells[1]).first else { continue }
            rows[module] = Row(level: level, mayImport: Self.names(in: cells[3]))
        }
    }

    private static func names(in cell: Substring) -> Set<String> {
        Set(cell.matches(of: /`([^`]+)`/).map { String($0.1) })
    }
}

extension Substring {
    func trimming(_ character: Character) -> Substring {
        var text = drop { $0 == character }
        while text.last == character { text.removeLast() }
        return text
    }
}
