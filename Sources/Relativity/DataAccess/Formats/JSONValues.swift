// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON

/// Formats cells and names as JSON values, in the forms that `JSONRowWriter` describes.
struct JSONValues: Sendable {
    private let options: FormatOptions

    init(_ options: FormatOptions) {
        self.options = options
    }

    /// Appends the value of a cell.
    ///
    /// - Returns: false for NaN and infinity, which JSON does not have. Nothing is appended then.
    @inline(__always)
    func append(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        to text: inout TextBuffer
    ) -> Bool {
        if place.isNull {
            text.append("null" as StaticString)
            return true
        }
        guard !CellText.isNotANumber(bytes, place, type) else { return false }
        let isQuoted: Bool
        switch type {
        case .boolean: isQuoted = false
        case _ where type.exceedsDouble: isQuoted = options.numbersAsText
        default: isQuoted = !type.isNumber
        }
        if isQuoted { text.append(UInt8(ascii: "\"")) }
        if !CellText.append(bytes, place, type, to: &text) {
            if options.terminal == nil {
                CellText.append(text: bytes, place, type, page, .json, to: &text)
            } else {
                append(content: CellText.string(bytes, place, type, page), to: &text)
            }
        }
        if isQuoted { text.append(UInt8(ascii: "\"")) }
        return true
    }

    /// Appends a JSON string.
    func append(string: String, to text: inout TextBuffer) {
        text.append(UInt8(ascii: "\""))
        append(content: string, to: &text)
        text.append(UInt8(ascii: "\""))
    }

    /// Appends a value. Only its strings contain characters that are not ASCII.
    func append(json value: JSONValue, to text: inout TextBuffer) {
        let serialized = String(decoding: value.serialized(), as: UTF8.self)
        for scalar in serialized.unicodeScalars { append(scalar, .none, to: &text) }
    }

    /// Appends the content of a JSON string. What the terminal must not get becomes a JSON escape.
    private func append(content string: String, to text: inout TextBuffer) {
        for scalar in string.unicodeScalars { append(scalar, .json, to: &text) }
    }

    private func append(_ scalar: Unicode.Scalar, _ escape: TextEscape, to text: inout TextBuffer) {
        var character = String(scalar)
        if let terminal = options.terminal, !scalar.isASCII || scalar.value == 0x7F,
            terminal.escape(character, .max) != character
        {
            for unit in character.utf16 { text.append(jsonUnit: unit) }
        } else {
            character.withUTF8 { text.append(utf8: UnsafeRawBufferPointer($0), escape) }
        }
    }
}
