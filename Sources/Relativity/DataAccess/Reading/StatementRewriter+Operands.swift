// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// Operands of calculations: columns, literals, CASE and functions.
extension StatementRewriter {
    /// Functions of whole numbers in units, which have the decimals of their arguments.
    private static let exactFunctions: Set<String> = ["sum", "min", "max", "abs", "coalesce", "ifnull"]
    /// Functions whose results are binary numbers.
    private static let floatFunctions: Set<String> = [
        "total", "avg", "median", "percentile", "percentile_cont", "percentile_disc", "round", "sqrt", "pow", "power",
        "exp", "ln", "log", "log10", "log2", "floor", "ceil", "ceiling", "trunc",
    ]

    /// Words of conditions, next to the signs of comparisons.
    private static let conditionWords: Set<String> = [
        "and", "or", "not", "is", "in", "between", "like", "glob", "isnull", "notnull",
    ]

    mutating func operand(at start: Int, before end: Int) throws(StatementError) -> Operand? {
        if let leaf = try leaf(at: start) {
            if case .number(let text) = tokens[start].kind, let literal = DecimalLiteral(text) {
                let form = Operand.Form.exact(units: literal.units, decimals: literal.decimals, hasAmount: false)
                return Operand(form: form, text: leaf.text, end: leaf.end)
            }
            return Operand(form: .unknown(mayBeAmount: false), text: leaf.text, end: leaf.end)
        }
        func raw(_ form: Operand.Form, _ count: Int = 1) -> Operand {
            Operand(form: form, text: source(start..<start + count), end: start + count)
        }
        switch tokens[start].kind {
        case .number(let text):
            let literal = DecimalLiteral(text)
            return raw(
                literal.map { .exact(units: $0.units, decimals: 0, hasAmount: false) } ?? .unknown(mayBeAmount: false)
            )
        case .text: return raw(.unknown(mayBeAmount: false))
        case .symbol:
            if statement.isParameter(start) { return raw(form(of: statement.parameter(start), start, 2), 2) }
            guard tokens[start].isSymbol(of: "("), let close = statement.closing(of: start), close < end else {
                return nil
            }
            let (text, operands) = try list(between: start, close)
            guard let only = operands?.first, operands?.count == 1 else {
                let form = Operand.Form.unknown(mayBeAmount: hasAmount(start..<close))
                return Operand(form: form, text: "(\(text))", end: close + 1)
            }
            return Operand(form: only.form, text: "(\(text))", end: close + 1, hasOperator: only.hasOperator)
        case .word(let word, _):
            if word.hasPrefix("$") { return raw(form(of: statement.parameter(start), start, 1)) }
            if word == "case" { return try choice(at: start, before: end) }
            if word == "null" { return raw(.unknown(mayBeAmount: false)) }
            guard !LocalStatement.keywords.contains(word) else { return nil }
            if start + 1 < end, tokens[start + 1].isSymbol(of: "(") { return try call(word, at: start, before: end) }
        case .quoted: break
        }
        guard let first = tokens[start].name else { return nil }
        if start + 2 < end, tokens[start + 1].isSymbol(of: "."), let name = tokens[start + 2].name {
            return raw(try form(ofColumn: name, of: first, start..<start + 3), 3)
        }
        return raw(try form(ofColumn: first, of: nil, start..<start + 1))
    }

    private func form(of parameter: DataValue?, _ start: Int, _ count: Int) -> Operand.Form {
        switch parameter {
        case .integer: .exact(units: source(start..<start + count), decimals: 0, hasAmount: false)
        case .float: .float
        case .currency(let scaled): .exact(units: "\(scaled)", decimals: 4, hasAmount: true)
        case .decimal(let decimal):
            DecimalLiteral(decimal.description).map {
                .exact(units: $0.units, decimals: $0.decimals, hasAmount: true)
            } ?? .unknown(mayBeAmount: true)
        default: .unknown(mayBeAmount: false)
        }
    }

    /// - Throws: `inexactSum` if units of the column may have more than 15 digits, and it is calculated with.
    private func form(
        ofColumn name: String,
        of table: String?,
        _ range: Range<Int>
    ) throws(StatementError) -> Operand.Form {
        guard !statement.isHidden(name) else { return .unknown(mayBeAmount: true) }
        let types = statement.types(table, name)
        guard !types.isEmpty else { return .unknown(mayBeAmount: true) }
        let text = source(range)
        if types.isSubset(of: LocalStatement.wholeTypes.union([.boolean])) {
            return .exact(units: text, decimals: 0, hasAmount: false)
        }
        if types.isSubset(of: [.float, .singleFloat]) { return .float }
        guard types.isSubset(of: LocalStatement.amountTypes) else {
            return .unknown(mayBeAmount: !types.isDisjoint(with: LocalStatement.amountTypes))
        }
        let known = table.flatMap(statement.ownName)
        var decimals = 0
        for (table, columns) in statement.tables where known == nil || known == table {
            for column in columns where NameMatch.isSimilar(column.name, name) {
                // A table that is not read has no values.
                guard let amount = amounts(table, column.name) else { continue }
                guard let own = amount.sumDecimals else {
                    guard isCalculated(range) else { return .unknown(mayBeAmount: true) }
                    throw .inexactSum(field: column.name)
                }
                decimals = max(decimals, own)
            }
        }
        let units = "CAST(round(\(text) * \(Self.unit(decimals))) AS INTEGER)"
        return .exact(units: units, decimals: decimals, hasAmount: true)
    }

    /// Whether an operator, a sum or an average is next to a column.
    private func isCalculated(_ range: Range<Int>) -> Bool {
        let (before, after) = (range.lowerBound - 1, range.upperBound)
        if before >= 0, tokens[before].isSymbol(of: "+-*/%") { return isOperandEnd(max(0, before - 1)) || before == 0 }
        if after < tokens.count, tokens[after].isSymbol(of: "+-*/%") { return true }
        return before > 0 && tokens[before].isSymbol(of: "(") && ["sum", "avg"].contains(tokens[before - 1].word)
    }

    /// Whether a column of Currency or Decimal is named.
    private func hasAmount(_ range: Range<Int>) -> Bool {
        tokens[range].contains { token in
            token.name.map { !statement.types(nil, $0).isDisjoint(with: LocalStatement.amountTypes) } ?? false
        }
    }

    /// CASE … END, which is exact if each of its results is.
    private mutating func choice(at start: Int, before end: Int) throws(StatementError) -> Operand? {
        guard let last = statement.closing(of: start), last < end else { return nil }
        // The text before each result, and the result.
        var results: [(before: String, operand: Operand)] = []
        var isExact = true
        var next = start + 1
        var index = next
        while index < last {
            if let inner = statement.closing(of: index), inner < last {
                index = inner
            } else if ["then", "else"].contains(tokens[index].word) {
                let before = try list(next..<index + 1, bytes: bytes(from: next, to: index)).text
                guard let operand = try sum(at: index + 1, before: last) else { return nil }
                results.append((before, operand))
                isExact = isExact && ["when", "else", "end"].contains(tokens[operand.end].word)
                (next, index) = (operand.end, operand.end - 1)
            }
            index += 1
        }
        let rest = try list(next..<last + 1, bytes: bytes(from: next, to: last)).text
        func text(_ value: (Operand) -> String) -> String {
            source(start..<start + 1) + results.map { $0.before + " " + value($0.operand) }.joined() + rest
        }
        let form = Operand.Form.unknown(mayBeAmount: hasAmount(start..<last))
        var choice = Operand(form: form, text: text(\.text), end: last + 1)
        let known = results.map(\.operand).filter { $0.text.lowercased() != "null" }
        guard isExact, let most = Self.decimals(known) else { return choice }
        let hasAmount = known.contains(where: \.mayBeAmount)
        guard hasAmount || most == 0 else { return choice }
        let units = text { operand in
            guard case .exact(let units, let decimals, _) = operand.form else { return operand.text }
            return Self.moved(units, most - decimals)
        }
        choice.form = .exact(units: "(\(units))", decimals: most, hasAmount: hasAmount)
        return choice
    }

    /// The bytes after the token before `first`, up to the end of a token.
    private func bytes(from first: Int, to last: Int) -> Range<Int> {
        tokens[first - 1].range.upperBound..<tokens[last].range.upperBound
    }

    /// Whether what is between two tokens is a condition, whose value is 0 or 1.
    private func isCondition(_ range: Range<Int>) -> Bool {
        range.contains { index in
            let token = tokens[index]
            return statement.opening(before: index) == statement.opening(before: range.lowerBound)
                && (token.isSymbol(of: "<>=!") || Self.conditionWords.contains(token.word ?? ""))
        }
    }

    /// The call of a function, with what follows the call of an aggregate.
    private mutating func call(
        _ function: String,
        at start: Int,
        before end: Int
    ) throws(StatementError) -> Operand? {
        guard let close = statement.closing(of: start + 1), close < end else { return nil }
        let isDistinct = tokens[start + 2].word == "distinct"
        let (text, operands) = try list(between: isDistinct ? start + 2 : start + 1, close)
        let suffix = try suffix(at: close + 1, before: end)
        let name = source(start..<start + 1)
        let distinct = isDistinct ? source(start + 2..<start + 3) : ""
        let original = "\(name)(\(distinct)\(text))\(suffix.text)"
        let isAmount = operands?.contains(where: \.mayBeAmount) ?? hasAmount(start + 2..<close)
        var result = Operand(form: .unknown(mayBeAmount: isAmount), text: original, end: suffix.end)
        if function == "cast" {
            let type = close > start + 3 && tokens[close - 2].word == "as" ? tokens[close - 1].word : nil
            switch type {
            case "real", "float", "double": result.form = .float
            case "int", "integer", "bigint": result.form = .exact(units: original, decimals: 0, hasAmount: false)
            default: break
            }
            return result
        }
        if function == "count" { result.form = .exact(units: original, decimals: 0, hasAmount: false) }
        if Self.floatFunctions.contains(function) { result.form = .float }
        guard Self.exactFunctions.contains(function) || function == "avg" else { return result }
        if function == "sum", operands == nil, isCondition(start + 2..<close) {
            result.form = .exact(units: original, decimals: 0, hasAmount: false)
            return result
        }
        if ["sum", "avg"].contains(function), operands?.count != 1 || isUnknown(operands), isAmount {
            throw .unclearDecimals(original)
        }
        guard let operands, let most = Self.decimals(operands) else {
            let isFloat = operands?.contains { if case .float = $0.form { true } else { false } } ?? false
            if isFloat, !isUnknown(operands) { result.form = .float }
            return result
        }
        let units = operands.map { operand in
            guard case .exact(let units, let decimals, _) = operand.form else { return "" }
            return Self.moved(units, most - decimals)
        }.joined(separator: ", ")
        let argument = "(\(isDistinct ? "DISTINCT " : "")\(units))"
        if function == "avg" {
            guard isAmount else { return result }
            let count = "(count\(argument)\(suffix.text) * \(Self.unit(most)))"
            result.text = "(\(Self.checked("sum\(argument)\(suffix.text)")) * 1.0 / \(count))"
            return result
        }
        guard isAmount || most == 0 else {
            result.form = .float
            return result
        }
        let whole = isAmount ? "\(function)\(argument)\(suffix.text)" : original
        result.form = .exact(units: whole, decimals: most, hasAmount: isAmount)
        guard isAmount, function == "sum" || operands.contains(where: \.hasOperator) else { return result }
        result.text = Self.value(whole, most)
        return result
    }

    private func isUnknown(_ operands: [Operand]?) -> Bool {
        operands?.contains { if case .unknown = $0.form { true } else { false } } ?? true
    }

    /// The most decimals of exact operands; nil if one is not exact.
    private static func decimals(_ operands: [Operand]) -> Int? {
        var most = 0
        for operand in operands {
            guard case .exact(_, let decimals, _) = operand.form else { return nil }
            most = max(most, decimals)
        }
        return most
    }

    /// FILTER and OVER.
    private mutating func suffix(at start: Int, before end: Int) throws(StatementError) -> (text: String, end: Int) {
        var (text, index) = ("", start)
        for word in ["filter", "over"] where index + 1 < end && tokens[index].word == word {
            if tokens[index + 1].isSymbol(of: "("), let close = statement.closing(of: index + 1), close < end {
                text += " \(word) (\(try list(between: index + 1, close).text))"
                index = close + 1
            } else if word == "over", tokens[index + 1].name != nil {
                text += " over " + source(index + 1..<index + 2)
                index += 2
            }
        }
        return (text, index)
    }
}
