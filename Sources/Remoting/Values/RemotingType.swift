// SPDX-License-Identifier: Apache-2.0

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
