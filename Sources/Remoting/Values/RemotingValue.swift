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
