// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Any value of a Remoting call, for callers that learn the types at run time.
package enum RemotingValue: Hashable, Sendable {
    case integer(Int32)
    case int64(Int64)
    case double(Double)
    case boolean(Bool)
    case dateTime(DateTime)
    case currency(Currency)
    case decimal(Decimal96)
    case guid(GUID)
    case ansiString(AnsiString)
    case utf8String(String)
    case wideString(String)
    /// Laid out as a Utf8String.
    case xml(String)
    /// Nil is null.
    case binary(ByteBuffer?)
    case variant(RemotingVariant)
    /// The ordinal.
    case enumeration(Int32)
    case structure(RemotingStruct)
    /// Only ever read: what follows a null struct in a request is contradictory, so none is sent.
    case nullStructure
    /// Nil is null.
    case array([RemotingValue]?)
}

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

/// What a reader must know of a value, since the wire carries no type tags.
package indirect enum RemotingType: Hashable, Sendable {
    case integer
    case int64
    case double
    case boolean
    case dateTime
    case currency
    case decimal
    case guid
    case ansiString
    case utf8String
    case wideString
    case xml
    case binary
    case variant
    /// The names in order of their ordinals, which only JSON writes; none if they are not known.
    case enumeration(names: [String] = [])
    /// A struct of this class or a descendant: the class name on the wire says which one.
    case structure(String)
    case array(of: RemotingType)

    /// The least that one value takes on the wire.
    var leastBytes: Int {
        switch self {
        case .binary, .structure, .array: 1
        case .integer, .boolean, .enumeration, .ansiString, .utf8String, .wideString, .xml, .variant: 4
        case .int64, .double, .dateTime, .currency: 8
        case .decimal, .guid: 16
        }
    }
}

/// A parameter or a field with its value. BinMessage sends the value alone, JSON the name too.
package struct NamedValue: Hashable, Sendable {
    package let name: String
    package let value: RemotingValue

    package init(_ name: String, _ value: RemotingValue) {
        self.name = name
        self.value = value
    }
}

/// A parameter or a field as its RODL declares it.
package struct NamedType: Hashable, Sendable {
    package let name: String
    package let type: RemotingType

    package init(_ name: String, _ type: RemotingType) {
        self.name = name
        self.type = type
    }
}

/// An 8-bit string in the code page of whoever sent it, which the wire does not name.
package struct AnsiString: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Read as UTF-8 if that fits, else as Latin-1, which always does.
    package var text: String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}
