// SPDX-License-Identifier: Apache-2.0

/// The functions of texts. Characters are Unicode scalars.
enum TextFunctions {
    /// - Parameters:
    ///   - arguments: all arguments, none of them NULL.
    ///   - limit: the bytes that the result of `replace` may have.
    /// - Returns: nil beyond the limit.
    static func value(
        _ function: ExpressionFunction,
        _ text: String,
        _ arguments: [DataValue],
        limit: Int
    ) -> DataValue? {
        switch (function, arguments.dropFirst().first, arguments.dropFirst(2).first) {
        case (.upper, _, _): .text(text.uppercased())
        case (.lower, _, _): .text(text.lowercased())
        case (.trim, _, _): .text(trimmed(text))
        case (.length, _, _): .integer(Int64(text.unicodeScalars.count))
        case (.substring, .integer(let start), nil): substring(text, from: start, count: nil)
        case (.substring, .integer(let start), .integer(let count)): substring(text, from: start, count: count)
        case (.replace, .text(let old), .text(let new)):
            replaced(Array(text.utf8), Array(old.utf8), Array(new.utf8), limit).map { .text($0) }
        default: .null
        }
    }

    /// Removes white space from both ends.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let count = scalars.reversed().prefix { $0.properties.isWhitespace }.count
        return String(scalars.dropLast(count))
    }

    /// Returns the characters from `start` to before `start + count` that exist. NULL for a negative count.
    private static func substring(_ text: String, from start: Int64, count: Int64?) -> DataValue {
        var last = Int64.max
        if let count {
            guard count >= 0 else { return .null }
            let (end, overflow) = start.addingReportingOverflow(count)
            if !overflow { last = end }
        }
        let first = max(start, 1)
        guard last > first else { return .text("") }
        return .text(String(text.unicodeScalars.dropFirst(Int(first - 1)).prefix(Int(last - first))))
    }

    /// Replaces all occurrences from left to right. The search is linear (Knuth, Morris and Pratt).
    private static func replaced(_ text: [UInt8], _ old: [UInt8], _ new: [UInt8], _ limit: Int) -> String? {
        guard !old.isEmpty, old.count <= text.count else { return String(decoding: text, as: UTF8.self) }
        // For each length of a partial match, the length of the next shorter one.
        var shorter = [Int](repeating: 0, count: old.count)
        var length = 0
        for index in 1..<max(old.count, 1) {
            while length > 0, old[index] != old[length] { length = shorter[length - 1] }
            if old[index] == old[length] { length += 1 }
            shorter[index] = length
        }
        var result: [UInt8] = []
        length = 0
        for byte in text {
            result.append(byte)
            while length > 0, byte != old[length] { length = shorter[length - 1] }
            if byte == old[length] { length += 1 }
            guard length == old.count else { continue }
            result.removeLast(old.count)
            result += new
            length = 0
            guard result.count <= limit else { return nil }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
