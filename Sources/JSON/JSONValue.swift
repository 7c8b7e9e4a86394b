// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259).
///
/// A number without fraction and exponent that fits is `.integer`, every other one `.number`; the two never compare
/// equal, so that `1` and `1.0` stay what they were.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// True for `.null`, without comparing anything else.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The payload of `.bool`, else nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The payload of `.integer`, else nil: `1.0` is no integer.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The payload of `.number`, or the nearest double to that of `.integer`, else nil.
    public var numberValue: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The payload of `.string`, else nil.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The payload of `.array`, else nil.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The payload of `.object`, else nil.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}
