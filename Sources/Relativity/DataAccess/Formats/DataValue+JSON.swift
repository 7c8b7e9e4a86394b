// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import JSON

extension DataValue {
    /// The value in the form that `JSONRowWriter` has for a cell, except that NaN and infinity are text.
    ///
    /// - Parameter numbersAsText: as in `FormatOptions`.
    package func json(as type: DataType, numbersAsText: Bool = false) -> JSONValue {
        let text = text(as: type) ?? ""
        switch self {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .integer(let number): return numbersAsText && type.exceedsDouble ? .string(text) : .integer(number)
        case .unsigned, .currency, .decimal: return numbersAsText ? .string(text) : .digits(text)
        case .float(let number): return number.isFinite ? .digits(text) : .string(text)
        case .dateTime, .text, .unreadable, .bytes: return .string(text)
        }
    }
}
