// SPDX-License-Identifier: Apache-2.0

import Remoting

/// An exact decimal number of at most 96 bits and 28 decimals, which keeps its decimals: `1.50` is not `1.5`.
public struct DataDecimal: Hashable, Sendable {
    let number: Decimal96

    init(_ number: Decimal96) {
        self.number = number
    }

    /// The number without its decimal point and sign.
    public var magnitude: UInt128 { UInt128(number.high) << 64 | UInt128(number.low) }

    /// Decimals, 0 to 28.
    public var scale: Int { Int(number.scale) }

    public var isNegative: Bool { number.isNegative }
}

extension DataDecimal: LosslessStringConvertible {
    /// Reads `-12.50`, without an exponent; nil beyond 96 bits or 28 decimals.
    public init?(_ description: String) {
        guard let number = Decimal96(description) else { return nil }
        self.number = number
    }

    public var description: String { number.description }
}
