// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Any value of a Remoting call, for code that learns the types at run time.
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
    /// Encoded as a Utf8String.
    case xml(String)
    /// Nil is null.
    case binary(ByteBuffer?)
    case variant(RemotingVariant)
    /// The ordinal.
    case enumeration(Int32)
    case structure(RemotingStruct)
    /// Only occurs in replies. It is never sent, because the documented encoding of a null struct in a request is
    /// contradictory.
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
    /// Code 0008, encoded as a Utf8String.
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
    /// Complete variants, between bounds. The code is 200C, or another with bit 2000 that some servers may send.
    case array(code: Int32 = VariantCode.variantArray, low: Int32 = 0, [RemotingVariant])
}

/// The type codes on the wire.
package enum VariantCode {
    static let byteArray: Int32 = 0x2011
    /// An array of variants.
    package static let variantArray: Int32 = 0x200C
    static let arrayBit: Int32 = 0x2000
}

/// The type of a value. A reader must know it, because the wire contains no type tags.
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
    /// The names in the order of their ordinals, which only JSON uses; empty if they are not known.
    case enumeration(names: [String] = [])
    /// A struct of this class or a descendant; the wire contains the name of the actual class.
    case structure(String)
    case array(of: RemotingType)

    /// The minimum size of one value on the wire.
    var leastBytes: Int {
        switch self {
        case .binary, .structure, .array: 1
        case .integer, .boolean, .enumeration, .ansiString, .utf8String, .wideString, .xml, .variant: 4
        case .int64, .double, .dateTime, .currency: 8
        case .decimal, .guid: 16
        }
    }
}

/// A parameter or a field with its value. BinMessage encodes only the value, JSON also the name.
package struct NamedValue: Hashable, Sendable {
    /// The name of the parameter or field.
    package let name: String
    /// Its value.
    package let value: RemotingValue

    /// A named value.
    package init(_ name: String, _ value: RemotingValue) {
        self.name = name
        self.value = value
    }
}

/// A parameter or a field with its type, as declared in RODL.
package struct NamedType: Hashable, Sendable {
    /// The name of the parameter or field.
    package let name: String
    /// The declared type.
    package let type: RemotingType

    /// A named type.
    package init(_ name: String, _ type: RemotingType) {
        self.name = name
        self.type = type
    }
}

/// An 8-bit string in the sender's code page, which the wire does not specify.
package struct AnsiString: Hashable, Sendable {
    /// The bytes as received.
    package let bytes: [UInt8]

    /// - Parameter bytes: in the sender's code page.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text: decoded as UTF-8 if that is valid, otherwise as Latin-1, which always is.
    package var text: String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}
