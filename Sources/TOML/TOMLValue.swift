// SPDX-License-Identifier: Apache-2.0

/// One value of a TOML document, with all that is in it.
package enum TOMLValue: Sendable, Hashable {
    case table([String: TOMLValue])
    case array([TOMLValue])
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date, a time, or both: known to be one, and not read.
    case moment
}

extension TOMLValue {
    /// The members, if this is a table.
    package var table: [String: TOMLValue]? { if case .table(let value) = self { value } else { nil } }
    /// The elements, if this is an array.
    package var array: [TOMLValue]? { if case .array(let value) = self { value } else { nil } }
    /// The text, if this is a string.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, if this is an integer: a float that is whole is none.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The value, if this is a boolean.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}
