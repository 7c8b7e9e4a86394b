// SPDX-License-Identifier: Apache-2.0

/// One line of a Swift file. Comments are not included.
struct SourceLine {
    let path: String
    let number: Int
    let text: Substring

    var place: String { "\(path):\(number)" }

    /// The module that the line imports; nil if it imports none.
    var importedModule: String? {
        // Check first: applying the pattern to all lines of the project takes half a minute.
        guard text.contains("import ") else { return nil }
        let pattern =
            /^(?:@\w+(?:\([^)]*\))? +)*(?:\w+ +)?import +(?:(?:struct|class|enum|protocol|typealias|func|let|var) +)?(\w+)/
        return text.trimming(" ").firstMatch(of: pattern).map { String($0.1) }
    }

    /// All lines of code of the Swift files below a folder.
    static func all(in folder: String) throws -> [SourceLine] {
        try Repository.files(in: folder, ending: ".swift").flatMap { path in
            try Repository.lines(path).enumerated().compactMap { offset, line in
                line.trimming(" ").hasPrefix("//") ? nil : SourceLine(path: path, number: offset + 1, text: line)
            }
        }
    }
}
