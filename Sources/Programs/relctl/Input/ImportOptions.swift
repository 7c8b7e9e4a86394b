// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

/// The format of a file to import, and the forms of its values.
struct ImportOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, tsv, json, jsonl
    }

    enum DecimalMark: String, ExpressibleByArgument, CaseIterable {
        case point = "."
        case comma = ","
    }

    @Option(help: "The format of the file; by default that of its name, or of its first character.")
    var format: Format?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The text of NULL in CSV, where it has no quotes.", valueName: "text")
    )
    var null: String?
    @Option(help: ArgumentHelp("The character between two fields of CSV, or tab.", valueName: "character"))
    var delimiter: String?
    @Option(help: "The mark in front of the fraction of a number in CSV.")
    var decimal = DecimalMark.point
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Convert times that have a time zone to this one, such as Europe/Berlin, +01:00 or UTC; drop: drop it.",
            valueName: "zone"
        )
    )
    var zone: String?

    func validate() throws {
        if let delimiter, Delimiter(delimiter) == nil {
            throw ValidationError("--delimiter is one character of ASCII that is no quote, or tab")
        }
        if let zone, !ZoneWord.isValid(zone) {
            throw ValidationError(
                "no time zone '\(Printable(zone))': use a name such as Europe/Berlin, an offset such as +01:00, or drop"
            )
        }
    }

    /// - Parameter path: `-` is standard input.
    func input(_ path: String) -> JobInput {
        var input = JobInput()
        input.name = path == "-" ? "standard input" : path
        input.format = format.flatMap { JobOutput.Format(rawValue: $0.rawValue) }
        if format == nil, case .rows(let named) = NamedFormat(of: path), Format(rawValue: named.rawValue) != nil {
            input.format = named
        }
        (input.nullText, input.delimiter) = (null, delimiter.flatMap(Delimiter.init).map { Int64($0.byte) })
        (input.hasDecimalComma, input.zone) = (decimal == .comma, zone)
        return input
    }
}

/// The character between two fields as typed: one of ASCII, or `tab`.
struct Delimiter: Hashable {
    let byte: UInt8

    init?(_ word: String) {
        let text = ["tab", "\\t"].contains(word) ? "\t" : word
        guard text.utf8.count == 1, let byte = text.utf8.first, 0x20..<0x7F ~= byte || byte == UInt8(ascii: "\t"),
            byte != UInt8(ascii: "\"")
        else { return nil }
        self.byte = byte
    }
}

/// A time zone as typed: `drop`, `Z`, an offset such as `+01:00`, or a name of the system such as `Europe/Berlin`.
enum ZoneWord {
    private static let folder = "/usr/share/zoneinfo"
    private static let mostBytes = 1 << 20
    private static let signature = "TZif"

    /// Whether the helper for data takes the word. It checks an offset itself.
    static func isValid(_ word: String) -> Bool {
        if word == "drop" || word == "Z" || ["+", "-"].contains(word.prefix(1)) { return true }
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return false }
        let bytes = try? UserPath.read("\(folder)/\(word)", maximumBytes: mostBytes)
        return bytes?.starts(with: signature.utf8) == true
    }
}
