// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// A statement as the local database runs it, in which a DateTime is text in one form (`PredicateDate`), and Currency and
/// Decimal are numbers of at most 15 digits.
///
/// A date in another form is one that `--where` accepts too, such as `'2024-01-31'` or `'2024-01-31 08:00'`. It gets the
/// form of the database if it is compared with a DateTime, and stays if it is compared with a text. Where that cannot be
/// seen, the statement is refused. So is a number or another text that is compared with a DateTime, except the beginning of
/// a date. `StatementRewriter` writes the statement for the database.
struct LocalStatement {
    private static let textFunctions: Set<String> = [
        "date", "datetime", "time", "julianday", "strftime", "unixepoch", "substr", "substring", "upper", "lower",
        "trim",
        "ltrim", "rtrim", "replace", "printf", "format", "hex", "quote", "typeof", "length", "instr", "like", "glob",
    ]
    /// Functions of one argument that have its type.
    private static let neutralFunctions: Set<String> = ["min", "max"]
    /// Words after which a call is only a part of an expression.
    private static let continuations: Set<String> = [
        "filter", "over", "between", "in", "is", "not", "like", "and", "or", "glob", "collate",
    ]
    static let keywords: Set<String> = [
        "select", "distinct", "all", "where", "and", "or", "not", "on", "by", "having", "when", "then", "else", "case",
        "between", "in", "like", "glob", "is", "from", "join", "union", "except", "intersect", "using", "end", "limit",
        "offset", "over", "partition", "order", "group", "desc", "asc", "escape", "values", "null", "exists", "top",
        "with", "recursive", "cross", "inner", "left", "outer", "natural", "full", "right", "collate", "isnull",
        "notnull",
    ]

    static let amountTypes: Set<DataType> = [.currency, .decimal]
    static let wholeTypes = Set(DataType.allCases.filter(\.isWholeNumber))

    /// What a literal is compared with.
    enum Comparand: Equatable {
        case column(table: String?, name: String)
        /// A literal or a parameter, or a text that a function made.
        case text
        case unclear
    }

    /// The kind of the values of a column.
    private enum Kind {
        case date
        case other
        case unclear
    }

    let bytes: [UInt8]
    let tokens: [StatementToken]
    let tables: [NameKey: [DataColumn]]
    let parameters: [NameKey: DataValue]
    /// The names of all columns that this statement may use for something else.
    private(set) var aliases: Set<NameKey> = []
    /// For each token, the parenthesis that is open before it.
    private let openings: [Int?]
    /// The closing parenthesis of each opening one, and the END of each CASE.
    private let ends: [Int: Int]
    /// The names of `aliases` that may stand for something else than a column of a table. SQLite looks for a column first,
    /// so that a statement without another one in it has none.
    private var hidingAliases: Set<NameKey> = []

    /// - Parameters:
    ///   - tables: the columns of each table, by name.
    ///   - parameters: the values of parameters, by name.
    init(_ statement: String, tables: [NameKey: [DataColumn]], parameters: [NameKey: DataValue]) {
        bytes = Array(statement.utf8)
        tokens = StatementToken.tokens(of: bytes)
        self.tables = tables
        self.parameters = parameters
        (openings, ends) = Self.pairs(tokens)
        for (index, token) in tokens.enumerated().dropFirst() {
            guard let name = token.name, isAlias(index) else { continue }
            aliases.insert(NameKey(name))
        }
        let words = tokens.map(\.word)
        if words.count(where: { $0 == "select" }) > 1 || words.contains("with") { hidingAliases = aliases }
    }

    private static func pairs(_ tokens: [StatementToken]) -> (openings: [Int?], ends: [Int: Int]) {
        var (openings, ends): ([Int?], [Int: Int]) = ([], [:])
        var (open, cases): ([Int], [Int]) = ([], [])
        for (index, token) in tokens.enumerated() {
            openings.append(open.last)
            if token.isSymbol(of: "(") { open.append(index) }
            if token.word == "case" { cases.append(index) }
            let start = token.isSymbol(of: ")") ? open.popLast() : token.word == "end" ? cases.popLast() : nil
            if let start { ends[start] = index }
        }
        return (openings, ends)
    }

    /// The parenthesis that is open before a token.
    func opening(before index: Int) -> Int? { openings[index] }

    /// The token that closes a parenthesis, or the END of a CASE.
    func closing(of open: Int) -> Int? { ends[open] }

    /// Whether a name without a qualifier may be the name of something else than a column of a table.
    func isHidden(_ column: String) -> Bool { hidingAliases.contains(NameKey(column)) }

    /// Whether the statement names a column of some types, or all columns.
    func uses(_ wanted: Set<DataType>) -> Bool {
        let names = Set(tables.values.joined().filter { wanted.contains($0.type) }.map { NameKey($0.name) })
        guard !names.isEmpty else { return false }
        return tokens.indices.contains { index in
            guard tokens[index].isSymbol(of: "*") else {
                return tokens[index].name.map { names.contains(NameKey($0)) } ?? false
            }
            // Not `count(*)`, and no product.
            guard index > 0 else { return false }
            return tokens[index - 1].isSymbol(of: ".,")
                || ["select", "distinct", "all"].contains(tokens[index - 1].word)
        }
    }

    /// The number at a token that may be compared with an amount, and has more than 15 digits.
    func inexactNumber(at index: Int) -> String? {
        switch tokens[index].kind {
        case .number(let text) where !Self.isExact(text):
            let first = index > 0 && tokens[index - 1].isSymbol(of: "-") ? index - 1 : index
            return isColumn(comparand(from: first, to: index), of: Self.wholeTypes) ? nil : text
        case .text(let text) where Double(text) != nil && !Self.isExact(text):
            return isColumn(comparand(from: index, to: index), of: Self.amountTypes) ? text : nil
        default: return nil
        }
    }

    /// Whether an operand is a column of one of some types.
    func isColumn(_ comparand: Comparand, of wanted: Set<DataType>) -> Bool {
        guard case .column(let table, let name) = comparand, !isHidden(name) else { return false }
        let types = types(table, name)
        return !types.isEmpty && types.isSubset(of: wanted)
    }

    /// Whether a number has at most 15 digits without zeros at both ends.
    static func isExact(_ text: String) -> Bool {
        let digits = text.lowercased().prefix { $0 != "e" && $0 != "x" }.filter(\.isNumber).drop { $0 == "0" }
        return digits.count - digits.reversed().prefix { $0 == "0" }.count <= 15
    }
}

/// Dates.
extension LocalStatement {
    /// The date of a text, or of a parameter, whose form is not that of the database.
    func date(at index: Int) -> PredicateDate? {
        let text: String
        switch tokens[index].kind {
        case .text(let literal): text = literal
        // SQLite reads a quoted name that no column has as a text.
        case .quoted(let name) where types(nil, name).isEmpty && !(index > 0 && isAlias(index)): text = name
        default:
            guard case .text(let value)? = parameter(index) else { return nil }
            text = value
        }
        return PredicateDate(text).flatMap { $0.description == text ? nil : $0 }
    }

    /// Whether a time that is not certain begins here, and is compared by order. Its place in the day is not known.
    func isOrderedUncertainTime(at index: Int) -> Bool {
        let value: DataValue?
        if case .text(let text) = tokens[index].kind { value = .text(text) } else { value = parameter(index) }
        let date: PredicateDate? =
            switch value {
            case .text(let text): PredicateDate(text)
            case .dateTime(let days) where !days.isNaN: PredicateDate(days: days)
            default: nil
            }
        guard let date, !date.isCertain else { return false }
        let last = isParameter(index) ? index + 1 : index
        guard kind(of: comparand(from: index, to: last)) != .other else { return false }
        let before = tokens[..<index].reversed().prefix { $0.isSymbol(of: "<>=!") }
        let after = tokens[(last + 1)...].prefix { $0.isSymbol(of: "<>=!") }
        guard before.isEmpty, after.isEmpty else {
            let sign = before.isEmpty ? Array(after) : before.reversed()
            let isEquality = sign.contains { $0.isSymbol(of: "=!") } && !sign.contains { $0.isSymbol(of: "<>") }
            return !isEquality && !(sign.count == 2 && sign[0].isSymbol(of: "<") && sign[1].isSymbol(of: ">"))
        }
        let words = [index > 0 ? tokens[index - 1].word : nil, last + 1 < tokens.count ? tokens[last + 1].word : nil]
        return words.contains("between") || words.contains("and")
    }

    /// Whether a literal or a parameter that is no date, nor the beginning of one, is compared with a DateTime.
    func isNoDate(at index: Int) -> Bool {
        // A long list would be searched for its beginning at each of its values.
        guard index == 0 || !tokens[index - 1].isSymbol(of: ",") else { return false }
        switch tokens[index].kind {
        case .number: break
        case .text(let text): guard MadeTime.isNoDate(text) else { return false }
        default:
            switch parameter(index) {
            case nil, .null, .dateTime: return false
            case .text(let text): guard MadeTime.isNoDate(text) else { return false }
            default: break
            }
        }
        let last = isParameter(index) ? index + 1 : index
        // A part of a longer expression.
        guard last + 1 == tokens.count || !tokens[last + 1].isSymbol(of: "|+-*/%&") else { return false }
        return isDateTime(from: index, to: last)
    }

    /// Whether a time that a function makes is compared with a DateTime.
    ///
    /// - Throws: `unclearTime` if that is not known, and the time depends on no column.
    func isDate(from first: Int, to last: Int) throws(StatementError) -> Bool {
        switch kind(of: comparand(from: first, to: last)) {
        case .date: return true
        case .other: return false
        case .unclear:
            // The name of the function may be that of a column.
            let namesColumn = tokens[first...last].dropFirst().contains { token in
                token.name.map { !types(nil, $0).isEmpty || aliases.contains(NameKey($0)) } ?? false
            }
            guard isCompared(from: first, to: last), !namesColumn else { return false }
            let text = bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound]
            throw .unclearTime(String(decoding: text, as: UTF8.self))
        }
    }

    /// Whether tokens are compared with a DateTime, as far as known.
    func isDateTime(from first: Int, to last: Int) -> Bool { kind(of: comparand(from: first, to: last)) == .date }

    private func isCompared(from first: Int, to last: Int) -> Bool {
        if comparedLeft(of: first) != nil { return true }
        if first > 0, tokens[first - 1].word == "between" { return true }
        if first > 0, tokens[first - 1].word == "and", between(before: first - 1) != nil { return true }
        guard last + 1 < tokens.count else { return false }
        return tokens[last + 1].isSymbol(of: "<>=!") || tokens[last + 1].word == "between"
    }

    func parameter(_ index: Int) -> DataValue? {
        if tokens[index].word?.hasPrefix("$") == true, let name = tokens[index].name {
            return parameters[NameKey(name.dropFirst())]
        }
        guard isParameter(index), tokens[index + 1].word != nil else { return nil }
        return tokens[index + 1].name.flatMap { parameters[NameKey($0)] }
    }

    /// Whether `:name` or `@name` begins here.
    func isParameter(_ index: Int) -> Bool {
        tokens[index].isSymbol(of: ":@") && index + 1 < tokens.count && tokens[index + 1].word != nil
    }

    /// Whether the date is compared with a DateTime.
    ///
    /// - Throws: `unclearDate` if that is not known.
    func isDate(at index: Int, _ date: PredicateDate) throws(StatementError) -> Bool {
        let last = isParameter(index) ? index + 1 : index
        switch kind(of: comparand(from: index, to: last)) {
        case .date: return true
        case .other: return false
        case .unclear:
            let text = bytes[tokens[index].range.lowerBound..<tokens[last].range.upperBound]
            throw .unclearDate(String(decoding: text, as: UTF8.self), form: date.description)
        }
    }

    private func kind(of comparand: Comparand) -> Kind {
        switch comparand {
        case .text: return .other
        case .unclear: return .unclear
        case .column(let table, let name):
            let types = types(table, name)
            guard !types.isEmpty, !isHidden(name) else { return .unclear }
            return types == [.dateTime] ? .date : types.contains(.dateTime) ? .unclear : .other
        }
    }

    /// The table that a qualifier names; nil if it is or may be another name of some table.
    func ownName(_ table: String) -> NameKey? {
        let name = NameKey(table)
        return tables[name] == nil || aliases.contains(name) ? nil : name
    }

    /// The types of the columns that a name may stand for.
    func types(_ table: String?, _ name: String) -> Set<DataType> {
        let found = table.flatMap(ownName).flatMap { tables[$0] }.map { [$0] } ?? Array(tables.values)
        return Set(found.joined().filter { NameMatch.isSimilar($0.name, name) }.map(\.type))
    }

    /// Whether a name is given here: after AS, after an expression, or in the columns of a common table expression.
    private func isAlias(_ index: Int) -> Bool {
        let before = tokens[index - 1]
        if ["as", "end", "null"].contains(before.word) || before.isSymbol(of: ")") {
            return !Self.keywords.contains(tokens[index].word ?? "")
        }
        switch before.kind {
        case .quoted, .text, .number: return !Self.keywords.contains(tokens[index].word ?? "")
        case .word(let word, _):
            return !Self.keywords.contains(word) && !Self.keywords.contains(tokens[index].word ?? "")
        case .symbol:
            // WITH name (a, b) AS
            guard before.isSymbol(of: "(,"), let open = opening(before: index),
                let close = closing(of: open), close + 1 < tokens.count
            else { return false }
            return tokens[close + 1].word == "as" && close + 2 < tokens.count
                && (tokens[close + 2].isSymbol(of: "(") || ["not", "materialized"].contains(tokens[close + 2].word))
        }
    }

    /// What a literal at some tokens is compared with.
    func comparand(from first: Int, to last: Int) -> Comparand {
        let before = first - 1
        let after = last + 1
        if before >= 0 {
            if let left = comparedLeft(of: first) { return operand(before: left) }
            switch tokens[before].word {
            case "between": return operand(before: before - (before > 0 && tokens[before - 1].word == "not" ? 1 : 0))
            case "and":
                if let between = between(before: before) { return operand(before: between) }
            case "like", "glob": return .text
            default: break
            }
            if tokens[before].isSymbol(of: "|") { return .text }
            if tokens[before].isSymbol(of: "(,"), let open = opening(before: first) {
                return enclosed(from: first, to: last, open)
            }
        }
        guard after < tokens.count else { return .unclear }
        if tokens[after].isSymbol(of: "<>=!") {
            return operand(from: tokens[after...].firstIndex { !$0.isSymbol(of: "<>=!") } ?? tokens.count)
        }
        switch tokens[after].word {
        case "is": return operand(from: tokens[(after + 1)...].firstIndex { $0.word != "not" } ?? tokens.count)
        case "between": return operand(from: after + 1)
        case "not" where after + 1 < tokens.count && tokens[after + 1].word == "between":
            return operand(from: after + 2)
        default: return .unclear
        }
    }

    /// A literal in parentheses: alone, in a list after IN, or as an argument.
    private func enclosed(from first: Int, to last: Int, _ open: Int) -> Comparand {
        guard open > 0, let word = tokens[open - 1].word else {
            let isAlone = open == first - 1 && last + 1 < tokens.count && tokens[last + 1].isSymbol(of: ")")
            return isAlone ? comparand(from: open, to: last + 1) : .unclear
        }
        if word == "in" { return operand(before: open - (open > 1 && tokens[open - 2].word == "not" ? 2 : 1)) }
        return Self.textFunctions.contains(word) ? .text : .unclear
    }

    /// The end of the operand on the left of a comparison, if one ends before a token.
    private func comparedLeft(of index: Int) -> Int? {
        var start = index
        if start > 0, tokens[start - 1].isSymbol(of: "<>=!") {
            while start > 0, tokens[start - 1].isSymbol(of: "<>=!") { start -= 1 }
            return start
        }
        if start > 0, tokens[start - 1].word == "not" { start -= 1 }
        return start > 0 && tokens[start - 1].word == "is" ? start - 1 : nil
    }

    /// The end of the operand of the BETWEEN to which an AND belongs.
    private func between(before and: Int) -> Int? {
        let open = openings[and]
        for index in ((open ?? -1) + 1..<and).reversed() where openings[index] == open {
            guard let word = tokens[index].word else { continue }
            if word == "between" { return index > 0 && tokens[index - 1].word == "not" ? index - 1 : index }
            if ["and", "or", "where", "on", "having", "when", "then", "else", "select"].contains(word) { return nil }
        }
        return nil
    }

    /// The operand that ends before a token.
    private func operand(before end: Int) -> Comparand {
        guard end > 0 else { return .unclear }
        let last = end - 1
        var start = last
        var found = Comparand.unclear
        switch tokens[last].kind {
        case .text, .number: found = .text
        case .quoted(let name), .word(_, let name):
            if last > 0, tokens[last - 1].isSymbol(of: ":@") || name.hasPrefix("$") { return .text }
            guard !Self.keywords.contains(tokens[last].word ?? "") else { return .unclear }
            let isQualified = last > 1 && tokens[last - 1].isSymbol(of: ".")
            start = isQualified ? last - 2 : last
            found = .column(table: isQualified ? tokens[start].name : nil, name: name)
        case .symbol:
            guard let open = opening(before: last), tokens[last].isSymbol(of: ")") else { return .unclear }
            (start, found) = call(open, close: last)
        }
        // An operator or COLLATE before it makes an expression of it.
        guard start > 0 else { return found }
        return tokens[start - 1].isSymbol(of: "+-*/%|&~.") || tokens[start - 1].word == "collate" ? .unclear : found
    }

    /// The operand that begins at a token.
    private func operand(from start: Int) -> Comparand {
        guard start < tokens.count else { return .unclear }
        var next = start + 1
        var found = Comparand.unclear
        switch tokens[start].kind {
        case .text, .number: found = .text
        case .quoted(let name), .word(_, let name):
            guard !Self.keywords.contains(tokens[start].word ?? "") else { return .unclear }
            found = .column(table: nil, name: name)
            if next + 1 < tokens.count, tokens[next].isSymbol(of: "."), let column = tokens[next + 1].name {
                found = .column(table: name, name: column)
                next += 2
            } else if next < tokens.count, tokens[next].isSymbol(of: "("), let close = closing(of: next) {
                found = call(next, close: close).operand
                next = close + 1
            }
        case .symbol where isParameter(start): (found, next) = (.text, start + 2)
        case .symbol:
            guard tokens[start].isSymbol(of: "("), let close = closing(of: start) else { return .unclear }
            found = call(start, close: close).operand
            next = close + 1
        }
        if tokens[start].word?.hasPrefix("$") == true { found = .text }
        guard next < tokens.count else { return found }
        return tokens[next].isSymbol(of: "+-*/%|&.") || tokens[next].word == "collate" ? .unclear : found
    }

    /// The operand that parentheses are, with the name of a function before them, and its first token.
    private func call(_ open: Int, close: Int) -> (start: Int, operand: Comparand) {
        let function = open > 0 ? tokens[open - 1].word.flatMap { Self.keywords.contains($0) ? nil : $0 } : nil
        guard let function else {
            return (open, operand(from: open + 1, ending: close))
        }
        if Self.textFunctions.contains(function) { return (open - 1, .text) }
        guard Self.neutralFunctions.contains(function) else { return (open - 1, .unclear) }
        return (open - 1, operand(from: open + 1, ending: close))
    }

    /// A column that is all between two tokens.
    private func operand(from start: Int, ending end: Int) -> Comparand {
        switch end - start {
        case 1: tokens[start].name.map { .column(table: nil, name: $0) } ?? .unclear
        case 3 where tokens[start + 1].isSymbol(of: "."):
            tokens[start + 2].name.map { .column(table: tokens[start].name, name: $0) } ?? .unclear
        default: .unclear
        }
    }
}

/// Types of results.
extension LocalStatement {
    /// A column with the type of the values.
    struct Source {
        let type: DataType
        let amounts: AmountDecimals?
    }

    /// The fields of which the columns of the result are `sum`, `min` or `max`, by index. Empty for statements whose
    /// columns are not listed one by one, and for those of several queries.
    func sources(columns count: Int, amounts: (NameKey, String) -> AmountDecimals?) -> [Int: Source] {
        guard tokens.first?.word == "select" else { return [:] }
        var starts: [Int] = [1]
        var end = tokens.count
        for (index, token) in tokens.enumerated() where openings[index] == nil {
            if ["union", "except", "intersect"].contains(token.word) { return [:] }
            if index < end, token.isSymbol(of: ",") { starts.append(index + 1) }
            if end == tokens.count, token.word == "from" { end = index }
        }
        guard starts.count == count else { return [:] }
        var sources: [Int: Source] = [:]
        for (number, start) in starts.enumerated() {
            guard start + 3 < end, let function = tokens[start].word, ["sum", "min", "max"].contains(function),
                tokens[start + 1].isSymbol(of: "("), let close = closing(of: start + 1),
                close + 1 == end || tokens[close + 1].isSymbol(of: ",") || tokens[close + 1].name != nil,
                !Self.continuations.contains(tokens.dropFirst(close + 1).first?.word ?? "")
            else { continue }
            sources[number] = source(operand(from: start + 2, ending: close), isSum: function == "sum", amounts)
        }
        return sources
    }

    private func source(
        _ column: Comparand,
        isSum: Bool,
        _ amounts: (NameKey, String) -> AmountDecimals?
    ) -> Source? {
        guard case .column(let table, let name) = column, !isHidden(name) else { return nil }
        let types = types(table, name)
        guard types.count == 1, let type = types.first, [.currency, .decimal, .dateTime].contains(type) else {
            return nil
        }
        var decimals: AmountDecimals?
        for (table, columns) in tables {
            for column in columns where NameMatch.isSimilar(column.name, name) {
                guard let found = amounts(table, column.name) else { continue }
                // Of two tables of this name the one that is meant is not known.
                guard decimals == nil else { return nil }
                decimals = found
            }
        }
        if isSum { decimals = decimals?.sumDecimals.map { AmountDecimals($0) } }
        return Source(type: type, amounts: decimals)
    }
}
