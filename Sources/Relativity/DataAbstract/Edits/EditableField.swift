// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A field of an editable table, with the rules for its values.
public struct EditableField: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The type of the values.
    public var type: DataType
    /// The maximum number of characters of a text, in UTF-16 units for wide text; nil for any.
    public var size: Int?
    /// Whether the field is part of the primary key.
    public var isInPrimaryKey: Bool
    /// Whether the field must have a value. A read-only field gets it from the server.
    public var isRequired: Bool
    /// Whether clients must not change the field.
    public var isReadOnly: Bool
    /// Whether deltas include the field. Deltas include fields of the key in any case.
    public var logsChanges: Bool
    /// The value of new rows as text; nil or empty for NULL.
    public var defaultValue: String?
    /// The code page of 8-bit text, the same for all fields of a table; nil for Latin-1.
    public var codePage: CodePage?

    /// Creates a field without rules.
    public init(_ name: String, _ type: DataType) {
        self.name = name
        self.type = type
        (isInPrimaryKey, isRequired, isReadOnly, logsChanges) = (false, false, false, true)
    }

    /// The field of a column.
    ///
    /// - Parameter entry: the schema's field at the position of the column. Without a schema there is no key.
    public init(_ column: DataColumn, _ entry: SchemaEntry?) {
        guard let entry else {
            self.init(column.name, column.type)
            codePage = column.codePage
            return
        }
        self.init(column, SchemaField(entry))
        logsChanges = entry.logsChanges
    }

    /// The field of a column.
    ///
    /// - Parameters:
    ///   - entry: the schema's field at the position of the column; nil without a schema.
    ///   - known: the field in the server's schema, for the rules that the entry does not have. A reply to GetData has no
    ///     sizes.
    init(_ column: DataColumn, _ entry: SchemaEntry?, _ known: SchemaField?) {
        guard let known, let entry else {
            if let known { self.init(column, known) } else { self.init(column, entry) }
            return
        }
        self.init(column, entry)
        if size == nil, known.size > 0 { size = known.size }
        if entry["InPrimaryKey"] == nil { isInPrimaryKey = known.isInPrimaryKey }
        if entry["Required"] == nil { isRequired = known.isRequired }
        if entry["ReadOnly"] == nil { isReadOnly = known.isReadOnly }
        if entry["DefaultValue"] == nil { defaultValue = known.defaultValue }
    }

    /// The field of a column, with the rules of the server's schema.
    public init(_ column: DataColumn, _ field: SchemaField) {
        self.init(field.name.isEmpty ? column.name : field.name, column.type)
        codePage = column.codePage
        size = field.size > 0 ? field.size : nil
        isInPrimaryKey = field.isInPrimaryKey
        isRequired = field.isRequired
        isReadOnly = field.isReadOnly
        logsChanges = field.logsChanges
        defaultValue = field.defaultValue
    }

    /// The column of the field's values.
    package var column: DataColumn { DataColumn(name, type, codePage: codePage) }

    /// Whether the server assigns the value of a new row.
    public var isAutoInc: Bool { type == .autoInc || type == .largeAutoInc }

    /// Checks the type and the size of a value.
    ///
    /// - Returns: the value, rounded to 32 bits for a SingleFloat.
    /// - Throws: `unmappable`, `unfit`, `tooLong`.
    public func checked(_ value: DataValue) throws(EditError) -> DataValue {
        if case .unreadable = value { throw .unfit(field: name, type: type) }
        guard fits(value) else {
            throw column.unmappable(in: value).map { .unmappable(field: name, $0) } ?? .unfit(field: name, type: type)
        }
        if let size, case .text(let text) = value, let found = type.length(of: text), found > size {
            throw .tooLong(field: name, limit: size, found: found)
        }
        if type == .singleFloat, case .float(let number) = value { return .float(Double(Float(number))) }
        return value
    }

    /// Whether the type can hold the value.
    func fits(_ value: DataValue) -> Bool {
        guard !value.isNull else { return true }
        switch (value, type) {
        case (_, .unknown): return false
        case (.float, .float), (.boolean, .boolean), (.dateTime, .dateTime), (.currency, .currency): return true
        case (.integer(let number), _): return type.wholeNumbers?.contains(Int128(number)) ?? false
        // A text has at most as many UTF-16 units as bytes of UTF-8.
        case (.text(let text), .wideString) where text.utf8.count <= Int32.max / 2: return true
        default:
            var cell = ByteBuffer()
            return CellWriter.write(value, as: column, to: &cell)
        }
    }

    /// Parses a value from text: numbers with a decimal point, `true` or `false`, dates as `2020-01-02T03:04:05`. A
    /// Guid may have braces. Returns nil if the text is not a value of the type, and for blobs.
    public func value(parsing text: String) -> DataValue? {
        guard type != .blob, let value = DataValue(text, as: type) else { return nil }
        // The code page may not have a character of the text, as `checked` finds.
        return type.is8Bit && codePage != nil || fits(value) ? value : nil
    }

    /// The value of a new row. A default that is not a value of the type, such as an expression of the database, is
    /// left to the server.
    var initialValue: DataValue {
        guard let defaultValue, !defaultValue.isEmpty else { return .null }
        return value(parsing: defaultValue).flatMap { try? checked($0) } ?? .null
    }
}

/// The limits of a field in a form without references, because a copy of the field takes longer than most checks.
struct FieldLimit: Sendable {
    let type: DataType
    let size: Int?

    /// Whether the field can have the value as it is. False if a complete check is necessary.
    func holds(_ value: DataValue) -> Bool {
        switch (value, type) {
        case (.null, _), (.float, .float), (.boolean, .boolean), (.dateTime, .dateTime), (.currency, .currency),
            (.integer, .largeInt), (.integer, .largeAutoInc):
            true
        case (.integer(let number), .integer): Int32(exactly: number) != nil
        // A text has at most as many UTF-16 units as bytes of UTF-8.
        case (.text(let text), .wideString): text.utf8.count <= min(size ?? .max, Int(Int32.max / 2))
        default: false
        }
    }
}

extension DataType {
    /// Whether the values are text in a code page.
    package var is8Bit: Bool { self == .string || self == .memo || self == .fixedChar }

    /// Returns the length of a text in the unit of a field's size; nil if the type has no size.
    fileprivate func length(of text: String) -> Int? {
        switch self {
        case .string, .fixedChar: text.unicodeScalars.count
        case .wideString, .fixedWideChar: text.utf16.count
        default: nil
        }
    }
}

/// A value in the one form that all equal values have: to compare rows, and as a part of a key.
///
/// Texts are equal if their bytes are. Swift regards canonically equivalent texts as equal, servers do not.
enum ComparableValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case unsigned(UInt64)
    case binary(UInt64)
    /// Without zeros at the end.
    case decimal(DataDecimal)
    case bytes([UInt8])
    case unreadable([UInt8])

    init(_ value: DataValue, _ type: DataType) {
        switch value {
        case .null: self = .null
        case .integer(let value), .currency(let value): self = .integer(value)
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .unsigned(let value): self = .unsigned(value)
        // As the field is written.
        case .float(let value) where type == .singleFloat: self = ComparableValue(.float(Double(Float(value))), .float)
        case .float(let value), .dateTime(let value): self = .binary((value == 0 ? 0 : value).bitPattern)
        case .decimal(let value): self = .decimal(value.shortest)
        case .text(let text): self = .bytes(Array((type == .guid ? text.lowercased() : text).utf8))
        case .unreadable(let text): self = .unreadable(text.bytes)
        case .bytes(let bytes): self = .bytes(Array(bytes.readableBytesView))
        }
    }

    /// Whether two values have the same form.
    static func isSame(_ left: DataValue, _ right: DataValue, _ type: DataType) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text, .text) where type != .guid: left == right
        default: ComparableValue(left, type) == ComparableValue(right, type)
        }
    }
}

extension EditableField {
    /// Whether two values of the field are equal, as edits compare them.
    package func isSame(_ left: DataValue, _ right: DataValue) -> Bool {
        ComparableValue.isSame(left, right, type)
    }
}
