// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A file to import, and the forms of its values.
package struct JobInput: JobRecord {
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

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("name", &name)
        try coder.member("descriptor", &descriptor)
        try coder.member("format", ifPresent: &format)
        try coder.member("nullText", ifPresent: &nullText)
        try coder.member("delimiter", ifPresent: &delimiter)
        try coder.member("hasDecimalComma", &hasDecimalComma)
        try coder.member("zone", ifPresent: &zone)
    }
}
