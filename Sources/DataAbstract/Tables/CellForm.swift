// SPDX-License-Identifier: Apache-2.0

/// How many bytes a cell takes, which is all that is needed to get past it.
enum CellForm: UInt8 {
    case oneByte
    case twoBytes
    case fourBytes
    case eightBytes
    /// An Int32 count, then that many bytes.
    case counted
    /// The same with UTF-16 in the bytes: their count is even.
    case wide
    /// 36 ASCII characters.
    case guid
    /// 16 bytes, of which not all make a number.
    case decimal
}

extension DataType {
    /// Nil for the one type that has no cells.
    var form: CellForm? {
        switch self {
        case .unknown: nil
        case .boolean, .byte, .shortInt: .oneByte
        case .word, .smallInt: .twoBytes
        case .integer, .autoInc, .cardinal, .singleFloat: .fourBytes
        case .float, .dateTime, .currency, .largeInt, .largeAutoInc, .largeUInt: .eightBytes
        case .string, .memo, .fixedChar, .blob, .cursor: .counted
        case .wideString, .wideMemo, .fixedWideChar, .xml: .wide
        case .guid: .guid
        case .decimal: .decimal
        }
    }
}
