// SPDX-License-Identifier: Apache-2.0

/// A cell with a byte that has no character in its code page, for an operation that needs the text.
public struct UnreadableCell: Hashable, Sendable, CustomStringConvertible {
    /// A way to find the row.
    public enum Row: Hashable, Sendable {
        /// Its number among those that were looked at, from 1.
        case number(Int)
        /// Its key, such as `Id=7`. Contains untrusted text.
        case key(String)

        /// The key of a row.
        ///
        /// - Parameter values: one for each column of the key.
        package init(_ key: [DataColumn], _ values: [DataValue]) {
            let parts = zip(key, values).map { "\($0.name)=\($1.text(as: $0.type) ?? "NULL")" }
            self = .key(parts.joined(separator: ","))
        }
    }

    /// The row.
    public var row: Row
    /// The name of the field.
    public let field: String
    /// The first byte without a character.
    public let byte: UInt8
    /// The name of the code page.
    public let codePage: String

    /// Creates the cell of a row and a field with this text.
    package init(_ row: Row, field: String, _ text: UnreadableText) {
        self.row = row
        self.field = field
        byte = text.byte
        codePage = text.codePage.name
    }

    /// A sentence fragment. The name of the field is escaped, the key is not.
    public var description: String {
        let hex = String(byte, radix: 16, uppercase: true)
        let row =
            switch row {
            case .number(let number): "\(number)"
            case .key(let key): key
            }
        return "row \(row), field \(field.debugDescription): \(codePage) has no character for the byte 0x\(hex)"
    }
}
