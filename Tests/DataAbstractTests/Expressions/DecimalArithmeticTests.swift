// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct DecimalArithmeticTests {
    private static let greatest = "79228162514264337593543950335"

    private static func number(_ text: String) throws -> DataDecimal { try #require(DataDecimal(text)) }

    @Test(
        "a sum, a product or a quotient is exact, rounded, or nothing",
        arguments: [
            ("1.5", "+", "2.25", "3.75"), ("1.5", "+", "-1.5", "0.0"), ("-1", "+", "0.4", "-0.6"),
            (greatest, "+", "1", nil),
            (greatest, "+", "0.5", nil), (greatest, "+", "0.4", greatest),
            ("7922816251426433759354395033.5", "+", "1.23", "7922816251426433759354395035"),
            ("0.0000000000000000000000000001", "+", "1", "1.0000000000000000000000000001"),
            ("1.5", "*", "-2.25", "-3.375"), (greatest, "*", "2", nil),
            (greatest, "*", "0.1", "7922816251426433759354395033.5"),
            ("0.0000000000000000000000000005", "*", "0.1", "0.0000000000000000000000000001"),
            ("0.0000000000000000000000000004", "*", "0.1", "0.0000000000000000000000000000"),
            (greatest, "*", greatest, nil), ("10.00", "/", "4", "2.50"), ("1", "/", "8", "0.125"),
            ("-2", "/", "3", "-0.6666666666666666666666666667"),
            ("1", "/", "0", nil), (greatest, "/", "0.1", nil), ("6", "/", "0.003", "2000"),
            (greatest, "/", greatest, "1"),
            ("1", "/", greatest, "0.0000000000000000000000000000"),
        ] as [(String, String, String, String?)]
    )
    func operations(left: String, operation: String, right: String, result: String?) throws {
        let (left, right) = (try Self.number(left), try Self.number(right))
        let found =
            switch operation {
            case "+": left.adding(right)
            case "*": left.multiplied(by: right)
            default: left.divided(by: right)
            }
        #expect(found?.description == result, "\(left) \(operation) \(right)")
    }

    @Test("operations on random numbers agree with integers", arguments: 0..<50)
    func random(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let bits = UInt64.random(in: 0..<62, using: &numbers)
            let (a, b) = (
                Int64.random(in: -(1 << bits)...1 << bits, using: &numbers),
                Int64.random(in: -1_000_000...1_000_000, using: &numbers)
            )
            let (scaleA, scaleB) = (Int.random(in: 0...6, using: &numbers), Int.random(in: 0...6, using: &numbers))
            let (left, right) = (DataDecimal(a, scale: scaleA), DataDecimal(b, scale: scaleB))
            func power(_ digits: Int) -> Int128 { (0..<digits).reduce(1) { power, _ in power * 10 } }
            let sum = Int128(a) * power(scaleB) + Int128(b) * power(scaleA)
            let product = Int128(a) * Int128(b)
            let found = (try #require(left.adding(right)), try #require(left.multiplied(by: right)))
            func scaled(_ number: DataDecimal, _ digits: Int) -> Int128 {
                (number.isNegative ? -1 : 1) * Int128(number.magnitude) * power(digits - number.scale)
            }
            #expect(scaled(found.0, scaleA + scaleB) == sum, "\(left) + \(right)")
            #expect(scaled(found.1, scaleA + scaleB) == product, "\(left) * \(right)")
            guard b != 0 else { continue }
            let quotient = try #require(left.divided(by: right))
            // With all decimals removed, |a - q * b| is at most half of b.
            let digits = quotient.scale + scaleB - scaleA
            let dividend = UInt128(a.magnitude).multipliedFullWidth(by: UInt128(power(digits)))
            let back = quotient.magnitude.multipliedFullWidth(by: UInt128(b.magnitude))
            let (greater, less) = dividend > back ? (dividend, back) : (back, dividend)
            let (difference, borrow) = greater.low.subtractingReportingOverflow(less.low)
            #expect(
                greater.high - less.high == (borrow ? 1 : 0) && difference * 2 <= UInt128(b.magnitude),
                "\(left) / \(right)"
            )
        }
    }

    @Test(
        "a number is rounded to decimals, halves away from zero",
        arguments: [
            ("2.5", 0, "3", "2", "3"), ("-2.5", 0, "-3", "-3", "-2"), ("2.44", 1, "2.4", "2.4", "2.5"),
            ("2.4", 3, "2.4", "2.4", "2.4"),
            ("-0.4", 0, "0", "-1", "0"), ("2.0", 0, "2", "2", "2"),
        ]
    )
    func rounding(text: String, digits: Int, nearest: String, down: String, up: String) throws {
        let number = try Self.number(text)
        let rules: [(DecimalRounding, String)] = [(.nearest, nearest), (.down, down), (.up, up)]
        for (rule, expected) in rules { #expect(number.rounded(digits: digits, rule)?.description == expected) }
    }

    @Test(
        "a Double becomes its shortest text",
        arguments: [
            (0.1, "0.1"), (5, "5"), (-1234.5, "-1234.5"), (1e20, "100000000000000000000"), (1.5e-7, "0.00000015"),
            (1e-40, "0"),
            (1e29, nil), (7.9e28, "79000000000000000000000000000"), (.nan, nil), (.infinity, nil),
            (1.5e-28, "0.0000000000000000000000000002"),
        ] as [(Double, String?)]
    )
    func doubles(double: Double, text: String?) {
        #expect(DataDecimal(double)?.description == text)
    }

    @Test("the nearest Double is that of the text", arguments: 0..<20)
    func nearest(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let magnitude =
                UInt128.random(in: 0..<(1 << 96), using: &numbers) >> UInt128.random(in: 0..<96, using: &numbers)
            let number = try #require(
                DataDecimal(
                    magnitude: magnitude,
                    scale: .random(in: 0...28, using: &numbers),
                    isNegative: .random(using: &numbers)
                )
            )
            #expect(number.double == Double(number.description))
        }
    }
}
