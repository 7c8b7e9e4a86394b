// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A value that carries its own type code (docs/wire.md, "Variant").
package enum RemotingVariant: Hashable, Sendable {
    case empty
    case null
    case int16(Int16)
    case int32(Int32)
    case single(Float)
    case double(Double)
    case currency(Currency)
    case dateTime(DateTime)
    /// Code 0008, laid out as a Utf8String.
    case string(String)
    /// Code 000A, which has no data.
    case error
    case boolean(Bool)
    case decimal(Decimal96)
    case int8(Int8)
    case uint8(UInt8)
    case uint16(UInt16)
    case uint32(UInt32)
    case int64(Int64)
    case guid(GUID)
    case ansiString(AnsiString)
    case utf8String(String)
    case bytes(ByteBuffer)
    /// Full variants between bounds; the code is 200C, or another with bit 2000 as some servers may send.
    case array(code: Int32 = VariantCode.variantArray, low: Int32 = 0, [RemotingVariant])
}

/// The type codes on the wire.
package enum VariantCode {
    static let byteArray: Int32 = 0x2011
    /// An array of variants.
    package static let variantArray: Int32 = 0x200C
    static let arrayBit: Int32 = 0x2000
}
