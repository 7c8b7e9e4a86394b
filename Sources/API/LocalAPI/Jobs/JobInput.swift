// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A file to import, and the forms of its values.
package struct JobInput: JSONRecord {
    /// The name of the file for messages.
    package var name = ""
    /// An open descriptor of the file, which the helper inherits; at least 3.
    package var descriptor: Int64 = -1
    /// `csv`, `tsv`, `json` or `jsonl`; nil to find it by the first character.
    package var format: JobOutput.Format?
    /// The text of NULL in CSV; nil if that is nothing.
    package var nullText: String?
    /// The byte between two fields of CSV; nil for that of the file or of its format.
    package var delimiter: Int64?
    /// Whether numbers have a comma in front of the fraction.
    package var hasDecimalComma = false
    /// The time zone to which a time with a zone is converted: `drop` to drop it, an offset such as `+01:00`, or a name of
    /// the system; nil to refuse such a time.
    package var zone: String?

    /// Creates an input without a file.
    package init() {}

    package static let members: [JSONMember<Self>] = [
        .init("name", \.name), .init("descriptor", \.descriptor), .init("format", \.format),
        .init("nullText", \.nullText), .init("delimiter", \.delimiter), .init("hasDecimalComma", \.hasDecimalComma),
        .init("zone", \.zone),
    ]
}
