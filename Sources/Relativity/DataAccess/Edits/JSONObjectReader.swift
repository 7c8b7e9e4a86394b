// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads objects of JSON with simple values, in one pass: those of an array, or one after the other.
struct JSONObjectReader {
    private enum Place {
        case start, firstElement, nextElement, sequence, end
    }

    var window: ByteWindow
    private let limits: JSONLimits
    private var place = Place.start
    private var line = 1

    init(_ window: ByteWindow, mostBytes: Int) {
        self.window = window
        limits = JSONLimits(depth: 2, bytes: mostBytes, values: 2 * ImportSource.mostFields)
    }

    /// Returns the next object; nil at the end.
    mutating func next() throws(ImportSourceError) -> ImportRecord? {
        try skipSpace()
        if place == .start {
            place = try skip("[") ? .firstElement : .sequence
            try skipSpace()
        }
        if place == .firstElement || place == .nextElement {
            if try skip("]") {
                place = .end
                try skipSpace()
            } else if place == .nextElement {
                guard try window.byte(at: 0) != nil else { throw .openArray(line: line) }
                guard try skip(",") else { throw .badObject(line: line, .syntax(.unexpectedByte)) }
                try skipSpace()
            }
        }
        guard let byte = try window.byte(at: 0) else {
            guard place == .sequence || place == .end else { throw .openArray(line: line) }
            return nil
        }
        guard byte == UInt8(ascii: "{"), place != .end else { throw .badObject(line: line, .notAnObject) }
        if place == .firstElement { place = .nextElement }
        let first = line
        let object = try parsed(objectLength(), first)
        var (names, values) = ([String](), [FieldText]())
        for (name, value) in object {
            guard let value = FieldText(value) else { throw .badObject(line: first, .nested(name)) }
            names.append(name)
            values.append(value)
        }
        return ImportRecord(line: first, names: names, values: values)
    }

    /// Takes an object.
    private mutating func parsed(_ count: Int, _ first: Int) throws(ImportSourceError) -> JSONObject {
        defer { window.take(count) }
        let text = window.withBytes { Array($0[..<count]) }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue.parsingNumbersAsText(text, limits: limits)
        } catch {
            throw .badObject(line: first, .syntax(error.reason))
        }
        guard let object = value.objectValue else { throw .badObject(line: first, .notAnObject) }
        return object
    }

    /// The number of bytes of the object that begins here. Counts its lines.
    private mutating func objectLength() throws(ImportSourceError) -> Int {
        let first = line
        let limit = limits.bytes
        var (count, depth, lines) = (0, 0, 0)
        defer { line += lines }
        var (isInString, isEscaped) = (false, false)
        while true {
            let isAtEnd = window.withBytes { bytes in
                let last = min(bytes.count, limit + 1)
                while count < last {
                    let byte = bytes[count]
                    count += 1
                    if byte == UInt8(ascii: "\n") { lines += 1 }
                    if isInString {
                        // A line break ends a text that is not closed, so that the error has its line.
                        if byte == UInt8(ascii: "\n") { return true }
                        if isEscaped {
                            isEscaped = false
                        } else if byte == UInt8(ascii: "\\") {
                            isEscaped = true
                        } else if byte == UInt8(ascii: "\"") {
                            isInString = false
                        }
                        continue
                    }
                    switch byte {
                    case UInt8(ascii: "\""): isInString = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        depth -= 1
                        if depth == 0 { return true }
                    default: break
                    }
                }
                return false
            }
            if count > limit { throw .tooLarge(line: first) }
            if isAtEnd { return count }
            guard try window.readMore() else { throw .badObject(line: first, .syntax(.unexpectedEnd)) }
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) throws(ImportSourceError) -> Bool {
        guard try window.byte(at: 0) == UInt8(ascii: character) else { return false }
        window.take(1)
        return true
    }

    private mutating func skipSpace() throws(ImportSourceError) {
        while let byte = try window.byte(at: 0), byte <= 0x20 {
            if byte == UInt8(ascii: "\n") { line += 1 }
            window.take(1)
        }
    }
}
