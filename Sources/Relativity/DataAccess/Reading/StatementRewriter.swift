// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// Writes a statement for the local database: dates in its form, and exact arithmetic for Currency and Decimal.
///
/// An amount is a binary number there. A sum, a difference, a product or a sum of rows is calculated with whole numbers,
/// in units of its last decimal, and has at most 15 digits. A quotient and an average are the binary numbers next to the
/// exact ones. If an operand has decimals that are not known here, the statement is refused.
struct StatementRewriter {
    /// The decimals of the values of a column of Currency or Decimal, by its table in lower case and its name; nil if it
    /// has no values.
    typealias Amounts = (_ table: NameKey, _ column: String) -> AmountDecimals?

    /// The maximum number of decimals, and of parentheses in parentheses.
    private static let (mostDecimals, mostLevels) = (22, 256)

    let statement: LocalStatement
    let amounts: Amounts
    private let usesDates: Bool
    private let usesAmounts: Bool
    var level = 0
    var tokens: [StatementToken] { statement.tokens }

    init(_ statement: LocalStatement, _ amounts: @escaping Amounts) {
        self.statement = statement
        self.amounts = amounts
        usesDates = statement.uses([.dateTime])
        usesAmounts = statement.uses(LocalStatement.amountTypes)
    }

    /// The statement for the database.
    ///
    /// - Throws: `unclearDate`, `unclearTime`, `noDate`, `orderedTime`, `tooManyDigits`, `inexactSum`, `unclearDecimals`.
    mutating func text() throws(StatementError) -> String {
        try list(tokens.indices, bytes: statement.bytes.indices).text
    }

    /// A number, or any other operand.
    struct Operand {
        enum Form {
            /// Whole numbers, in units of the last of so many decimals.
            case exact(units: String, decimals: Int, hasAmount: Bool)
            /// Binary numbers.
            case float
            case unknown(mayBeAmount: Bool)
        }

        var form: Form
        /// The value, for the database.
        var text: String
        /// The token after it.
        var end: Int
        var hasOperator = false

        /// Whether its values are or may be amounts.
        var mayBeAmount: Bool {
            switch form {
            case .exact(_, _, let hasAmount): hasAmount
            case .float: false
            case .unknown(let mayBeAmount): mayBeAmount
            }
        }
    }

    /// Writes some tokens.
    ///
    /// - Parameter bytes: those of the tokens, with what is around them.
    /// - Returns: also the operands, if the tokens are operands with commas between them.
    mutating func list(
        _ range: Range<Int>,
        bytes: Range<Int>
    ) throws(StatementError) -> (text: String, operands: [Operand]?) {
        level += 1
        defer { level -= 1 }
        var output: [UInt8] = []
        var position = bytes.lowerBound
        var index = range.lowerBound
        var operands: [Operand]? = []
        var isExpected = true
        while index < range.upperBound {
            var written: Operand?
            if usesAmounts, isStart(index) {
                written = try sum(at: index, before: range.upperBound)
            } else {
                let form = Operand.Form.unknown(mayBeAmount: false)
                written = try leaf(at: index).map { Operand(form: form, text: $0.text, end: $0.end) }
            }
            if let written {
                output += statement.bytes[position..<tokens[index].range.lowerBound] + Array(written.text.utf8)
                position = tokens[written.end - 1].range.upperBound
                index = written.end
                if isExpected { operands?.append(written) } else { operands = nil }
                isExpected = false
            } else {
                if isExpected || !tokens[index].isSymbol(of: ",") { operands = nil }
                isExpected = true
                index += 1
            }
        }
        if isExpected { operands = nil }
        return (String(decoding: output + statement.bytes[position..<bytes.upperBound], as: UTF8.self), operands)
    }

    /// Writes what is between two tokens.
    mutating func list(
        between first: Int,
        _ last: Int
    ) throws(StatementError) -> (text: String, operands: [Operand]?) {
        try list(
            first + 1..<last,
            bytes: tokens[first].range.upperBound..<tokens[last].range.lowerBound
        )
    }

    /// A literal, a parameter or a function of times that is written in another way.
    mutating func leaf(at index: Int) throws(StatementError) -> (text: String, end: Int)? {
        if usesDates {
            if let time = try time(at: index) { return time }
            if statement.isOrderedUncertainTime(at: index) {
                throw .orderedTime(source(index..<(statement.isParameter(index) ? index + 2 : index + 1)))
            }
            if let date = statement.date(at: index), try statement.isDate(at: index, date) {
                return ("'\(date)'", statement.isParameter(index) ? index + 2 : index + 1)
            }
            if statement.isNoDate(at: index) {
                throw .noDate(source(index..<(statement.isParameter(index) ? index + 2 : index + 1)))
            }
        }
        guard usesAmounts else { return nil }
        if let number = statement.inexactNumber(at: index) { throw .tooManyDigits(number) }
        // SQLite converts some texts to a number next to the nearest one.
        switch tokens[index].kind {
        case .number(let text):
            guard let literal = DecimalLiteral(text), literal.decimals > 0 else { return nil }
            return (literal.quotient, index + 1)
        case .text(let text):
            guard let literal = DecimalLiteral(text), literal.decimals > 0,
                statement.isColumn(statement.comparand(from: index, to: index), of: LocalStatement.amountTypes)
            else { return nil }
            return (literal.quotient, index + 1)
        default: return nil
        }
    }

    /// A function of times that is compared with a DateTime, in the form of the database.
    private mutating func time(at index: Int) throws(StatementError) -> (text: String, end: Int)? {
        guard let (time, last) = statement.madeTime(at: index), time != .ordered else { return nil }
        if time == .other {
            guard statement.isDateTime(from: index, to: last) else { return nil }
            throw .noDate(source(index..<last + 1))
        }
        guard try statement.isDate(from: index, to: last) else { return nil }
        var text = source(index..<index + 1)
        if last > index { text += "(\(try list(between: index + 1, last).text))" }
        return ("replace(strftime('%Y-%m-%dT%H:%M:%f', \(text)), '.000', '')", last + 1)
    }

    func source(_ range: Range<Int>) -> String {
        let bytes = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
        return String(decoding: statement.bytes[bytes], as: UTF8.self)
    }
}

/// Arithmetic.
extension StatementRewriter {
    /// 10 to the power of `decimals`.
    static func unit(_ decimals: Int) -> String { "1" + String(repeating: "0", count: decimals) }

    /// Whether an operand can begin at a token, and none is calculated with what is before it.
    private func isStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        if tokens[index].isSymbol(of: "+-"), isOperandEnd(index - 1) { return false }
        guard tokens[index - 1].isSymbol(of: "*") else { return !tokens[index - 1].isSymbol(of: "+-/%|&~.:@") }
        return index > 1 && !isOperandEnd(index - 2)
    }

    func isOperandEnd(_ index: Int) -> Bool {
        switch tokens[index].kind {
        case .word(let word, _): !LocalStatement.keywords.contains(word) || word == "end" || word == "null"
        case .quoted, .text, .number: true
        case .symbol: tokens[index].isSymbol(of: ")")
        }
    }

    private func isOperator(_ symbols: StaticString, at index: Int, before end: Int) -> Bool {
        guard index < end, tokens[index].isSymbol(of: symbols) else { return false }
        // Not the operators `->` and `->>` of JSON.
        return !(tokens[index].isSymbol(of: "-") && index + 1 < end && tokens[index + 1].isSymbol(of: ">"))
    }

    /// The sum, or any other operand, that begins at a token.
    mutating func sum(at start: Int, before end: Int) throws(StatementError) -> Operand? {
        guard var left = try product(at: start, before: end) else { return nil }
        while isOperator("+-", at: left.end, before: end) {
            guard let right = try product(at: left.end + 1, before: end) else { break }
            left = try combined(left, right, from: start)
        }
        let isContinued = left.end < end && tokens[left.end].isSymbol(of: "+-*/%|&~")
        let isUnknown = if case .unknown = left.form { true } else { false }
        if left.hasOperator, left.mayBeAmount, isUnknown || isContinued {
            throw .unclearDecimals(source(start..<left.end))
        }
        return left
    }

    private mutating func product(at start: Int, before end: Int) throws(StatementError) -> Operand? {
        guard var left = try signed(at: start, before: end) else { return nil }
        while isOperator("*/%", at: left.end, before: end) {
            guard let right = try signed(at: left.end + 1, before: end) else { break }
            left = try combined(left, right, from: start)
        }
        return left
    }

    private mutating func signed(at start: Int, before end: Int) throws(StatementError) -> Operand? {
        guard start < end, level < Self.mostLevels else { return nil }
        guard tokens[start].isSymbol(of: "+-") else { return try operand(at: start, before: end) }
        level += 1
        defer { level -= 1 }
        guard var operand = try signed(at: start + 1, before: end) else { return nil }
        let sign = tokens[start].isSymbol(of: "-") ? "- " : "+ "
        operand.text = sign + operand.text
        operand.hasOperator = true
        if case .exact(let units, let decimals, let hasAmount) = operand.form {
            operand.form = .exact(units: "(\(sign)\(units))", decimals: decimals, hasAmount: hasAmount)
        }
        return operand
    }

    /// Two operands, and the operator between them.
    ///
    /// - Parameter first: the first token.
    private func combined(
        _ left: Operand,
        _ right: Operand,
        from first: Int
    ) throws(StatementError) -> Operand {
        let sign = tokens[left.end]
        let (symbol, start) = (left.end, tokens[left.end - 1].range.upperBound)
        // What is around the operator, without the right operand.
        let gap = statement.bytes[start..<tokens[symbol + 1].range.lowerBound]
        var result = Operand(
            form: .unknown(mayBeAmount: left.mayBeAmount || right.mayBeAmount),
            text: left.text + String(decoding: gap, as: UTF8.self) + right.text,
            end: right.end,
            hasOperator: true
        )
        switch (left.form, right.form) {
        case (.exact(let one, let places, let isAmount), .exact(let second, let others, let isOtherAmount)):
            let hasAmount = isAmount || isOtherAmount
            if sign.isSymbol(of: "*") {
                if places + others <= Self.mostDecimals {
                    set(&result, "(\(one) * \(second))", places + others, hasAmount)
                } else if hasAmount {
                    throw .unclearDecimals(source(first..<right.end))
                } else {
                    result.form = .float
                }
            } else if sign.isSymbol(of: "+-") {
                let most = max(places, others)
                let symbol = sign.isSymbol(of: "+") ? "+" : "-"
                let (left, right) = (Self.moved(one, most - places), Self.moved(second, most - others))
                set(&result, "(\(left) \(symbol) \(right))", most, hasAmount)
            } else if !hasAmount, places == 0, others == 0 {
                set(&result, "(\(one) \(sign.isSymbol(of: "/") ? "/" : "%") \(second))", 0, false)
            } else if sign.isSymbol(of: "/") {
                if hasAmount {
                    let most = max(places, others)
                    let quotient = "\(Self.checked(Self.moved(one, most - places))) * 1.0"
                    result.text = "(\(quotient) / \(Self.checked(Self.moved(second, most - others))))"
                }
                result.form = .float
            }
        case (.float, _), (_, .float): result.form = .float
        default: break
        }
        return result
    }

    private func set(_ operand: inout Operand, _ units: String, _ decimals: Int, _ hasAmount: Bool) {
        operand.form = .exact(units: units, decimals: decimals, hasAmount: hasAmount)
        if hasAmount { operand.text = Self.value(units, decimals) }
    }

    /// Units of more decimals.
    static func moved(_ units: String, _ decimals: Int) -> String {
        decimals == 0 ? units : "(\(units) * \(unit(decimals)))"
    }

    static func value(_ units: String, _ decimals: Int) -> String {
        "(\(checked(units)) / \(unit(decimals)).0)"
    }

    /// Units of at most 15 digits, with which binary numbers are exact. Others are an error: the number without a
    /// magnitude. It is no constant, so that it is computed only then. A product beyond 64 bits is no whole number.
    static func checked(_ units: String) -> String {
        "(CASE WHEN \(units) IS NULL THEN NULL WHEN typeof(\(units)) = 'integer' AND abs(\(units)) < 1000000000000000 "
            + "THEN \(units) ELSE abs(-9223372036854775807 - (\(units) IS NOT NULL)) END)"
    }
}
