// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// What a function of SQLite makes of times, or one of its words for the present time.
enum MadeTime {
    /// A date, which may be without a time, or have a space before it.
    case date
    /// A text in the form of the database, or the beginning of one.
    case ordered
    /// A number or a text that cannot be compared with a date.
    case other

    /// - Parameter format: of `strftime`.
    init(format: String) {
        let digits = [
            "F": "2000-01-01", "T": "00:00:00", "R": "00:00", "Y": "2000", "m": "01", "d": "01", "H": "00", "M": "00",
            "S": "00", "f": "00.000",
        ]
        var example = ""
        var rest = format[...]
        while let sign = rest.popFirst() {
            guard sign == "%" else {
                example.append(sign)
                continue
            }
            guard let part = rest.popFirst().flatMap({ digits[String($0)] }) else {
                self = .other
                return
            }
            example += part
        }
        if let date = PredicateDate(example) {
            self = date.description == example ? .ordered : .date
        } else {
            self = Self.isNoDate(example) ? .other : .ordered
        }
    }

    /// Whether a text is neither a date nor the beginning of one, which is in order with dates.
    static func isNoDate(_ text: String) -> Bool {
        let form = "0000-00-00T00:00:00.000"
        guard PredicateDate(text) == nil, text.utf8.count <= form.utf8.count else { return PredicateDate(text) == nil }
        return !zip(text.utf8, form.utf8).allSatisfy { byte, sign in
            byte == sign || sign == UInt8(ascii: "0") && UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
    }
}

extension LocalStatement {
    /// The time that a function makes, and the last token of the call; nil if none begins here.
    func madeTime(at index: Int) -> (time: MadeTime, last: Int)? {
        guard let word = tokens[index].word else { return nil }
        switch word {
        case "current_date", "current_timestamp": return (.date, index)
        case "current_time": return (.other, index)
        default: break
        }
        guard index + 1 < tokens.count, tokens[index + 1].isSymbol(of: "("), let last = closing(of: index + 1) else {
            return nil
        }
        switch word {
        case "date", "datetime": return (.date, last)
        case "time", "julianday", "unixepoch": return (.other, last)
        case "strftime":
            guard case .text(let format) = tokens[index + 2].kind else { return (.other, last) }
            return (MadeTime(format: format), last)
        default: return nil
        }
    }
}
