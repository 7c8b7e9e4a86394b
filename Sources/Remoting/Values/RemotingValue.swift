// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Any value of a Remoting call, for callers that learn the types at run time.
package indirect enum RemotingValue: Hashable, Sendable {
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

/// A struct value: its class and its fields in wire order.
package struct RemotingStruct: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: RemotingValue

        package init(_ name: String, _ value: RemotingValue) {
            self.name = name
            self.value = value
        }
    }

    package let className: String
    package let fields: [Field]

    /// Puts the fields into wire order: by name, ignoring case.
    package init(_ className: String, _ fields: [Field]) {
        self.className = className
        self.fields = fields.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    package subscript(_ name: String) -> RemotingValue? {
        fields.first { $0.name == name }?.value
    }
}
