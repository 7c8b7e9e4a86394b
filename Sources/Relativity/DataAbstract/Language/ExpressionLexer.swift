// SPDX-License-Identifier: Apache-2.0

/// A token of the text of a predicate or an expression.
enum ExpressionToken: Hashable {
    /// A field without brackets.
    case word(String)
    case keyword(ExpressionKeyword)
    /// `[Unit Price]`.
    case field(String)
    case value(PredicateValue)
    /// `==` and the like, in the form of `PredicateOperator`.
    case comparison(PredicateOperator)
    /// `[c]` and the like, directly after an operator.
    case folding(PredicateFolding)
    case open
    case close
    case openBrace
    case closeBrace
    case comma
    /// Not in predicates, as is `dot`.
    case arithmetic(ArithmeticOperator)
    case dot
    case end
}

/// The words that are not fields. Any case is accepted.
enum ExpressionKeyword: String {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case isWord = "IS"
    case null = "NULL"
    case `nil` = "NIL"
    case isIn = "IN"
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case `true` = "TRUE"
    case `false` = "FALSE"
    case yes = "YES"
    case no = "NO"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"

    /// Parses a word. Only ASCII letters count, because upper case maps other letters to them.
    init?(word: String) {
        guard word.utf8.allSatisfy({ $0 < 0x80 }), let keyword = Self(rawValue: word.uppercased()) else { return nil }
        self = keyword
    }

    var textTest: PredicateOperator? { PredicateOperator(rawValue: rawValue) }

    /// Whether `[cd]` may follow.
    var takesFolding: Bool { textTest != nil || self == .isIn }
}

/// Splits the text of a predicate or an expression into tokens.
struct ExpressionLexer {
    private static let symbols: [(text: StaticString, token: ExpressionToken)] = [
        ("==", .comparison(.equal)), ("!=", .comparison(.notEqual)), ("<>", .comparison(.notEqual)),
        ("<=", .comparison(.lessOrEqual)), ("=<", .comparison(.lessOrEqual)), (">=", .comparison(.greaterOrEqual)),
        ("=>", .comparison(.greaterOrEqual)), ("&&", .keyword(.and)), ("||", .keyword(.or)),
        ("=", .comparison(.equal)), ("<", .comparison(.less)), (">", .comparison(.greater)), ("!", .keyword(.not)),
        ("(", .open), (")", .close), ("{", .openBrace), ("}", .closeBrace), (",", .comma),
    ]
    private static let arithmetic: [(text: StaticString, token: ExpressionToken)] = [
        ("+", .arithmetic(.add)), ("-", .arithmetic(.subtract)), ("*", .arithmetic(.multiply)),
        ("/", .arithmetic(.divide)), (".", .dot),
    ]

    private let text: [UInt8]
    /// Whether `+`, `-`, `*`, `/` and `.` are tokens. Otherwise a sign belongs to a number.
    private let hasArithmetic: Bool
    private var position = 0
    /// Whether an option such as `[c]` may begin at `foldingPosition`.
    private var foldingPosition: Int?

    init(_ text: String, hasArithmetic: Bool) {
        self.text = Array(text.utf8)
        self.hasArithmetic = hasArithmetic
    }

    /// Returns the column of a byte, counted in Unicode scalars from 1.
    func column(of offset: Int) -> Int { 1 + scalars(in: 0..<offset) }

    /// Returns the number of Unicode scalars that begin in a part of the text.
    func scalars(in part: Range<Int>) -> Int {
        text[min(part.lowerBound, text.count)..<min(part.upperBound, text.count)].count { $0 & 0xC0 != 0x80 }
    }

    func failure(_ reason: String, at offset: Int) -> PredicateError {
        .syntax(reason: reason, column: column(of: offset))
    }

    /// Reads the next token; at the end of the text, `end` each time.
    ///
    /// - Returns: the token with the offset of its first byte.
    mutating func next() throws(PredicateError) -> (token: ExpressionToken, start: Int) {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
        let start = position
        guard let byte = peek() else { return (.end, start) }
        if byte == UInt8(ascii: "["), foldingPosition == start, let folding = folding() {
            return (.folding(folding), start)
        }
        let token: ExpressionToken
        switch byte {
        case UInt8(ascii: "["): token = .field(try quoted(until: UInt8(ascii: "]"), what: "field"))
        case UInt8(ascii: "'"), UInt8(ascii: "\""): token = .value(.text(try quoted(until: byte, what: "text")))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): token = .value(try number())
        case UInt8(ascii: "-"), UInt8(ascii: "+"): token = hasArithmetic ? try symbol() : .value(try number())
        case _ where Self.isInWord(byte): token = word()
        default: token = try symbol()
        }
        switch token {
        case .field(""): throw failure("a field without a name", at: start)
        case .comparison: foldingPosition = position
        case .keyword(let keyword) where keyword.takesFolding: foldingPosition = position
        default: foldingPosition = nil
        }
        return (token, start)
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < text.count ? text[position + distance] : nil
    }

    /// Whether a byte belongs to a word. All of UTF-8 beyond ASCII does.
    static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private mutating func word() -> ExpressionToken {
        let start = position
        while let byte = peek(), Self.isInWord(byte) { position += 1 }
        let word = String(decoding: text[start..<position], as: UTF8.self)
        guard let keyword = ExpressionKeyword(word: word) else { return .word(word) }
        switch keyword {
        case .true, .yes: return .value(.boolean(true))
        case .false, .no: return .value(.boolean(false))
        default: return .keyword(keyword)
        }
    }

    private mutating func folding() -> PredicateFolding? {
        guard let end = text[position...].prefix(4).firstIndex(of: UInt8(ascii: "]")),
            let folding = PredicateFolding(option: text[(position + 1)..<end])
        else { return nil }
        position = end + 1
        return folding
    }

    /// Reads text up to a closing quote. A doubled closing quote stands for one.
    private mutating func quoted(until quote: UInt8, what: String) throws(PredicateError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote {
                guard peek() == quote else { return String(decoding: content, as: UTF8.self) }
                position += 1
            }
            content.append(byte)
        }
        throw failure("a \(what) without a closing \(Character(Unicode.Scalar(quote)))", at: start)
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while Self.isDigit(peek()) { position += 1 }
        return position > start
    }

    private mutating func number() throws(PredicateError) -> PredicateValue {
        let start = position
        if isDate { return .date(try date()) }
        if !Self.isDigit(peek()) { position += 1 }
        guard skipDigits() else { throw failure("a sign without a number", at: start) }
        if peek() == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { throw failure("expected a digit after the decimal point", at: position) }
        }
        var hasExponent = false
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            hasExponent = true
            position += 1
            if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
            guard skipDigits() else { throw failure("expected a digit in the exponent", at: position) }
        }
        if let byte = peek(), Self.isInWord(byte) || byte == UInt8(ascii: ".") {
            throw failure("unexpected character after a number", at: position)
        }
        let digits = text[start..<position].drop { $0 == UInt8(ascii: "+") }
        let written = String(decoding: digits, as: UTF8.self)
        if !hasExponent, let decimal = DataDecimal(written) { return .number(decimal) }
        guard let number = Double(written), number.isFinite else { throw failure("number out of range", at: start) }
        return .float(number)
    }

    /// Whether a date such as `2020-01-02` begins here.
    private var isDate: Bool {
        zip(0..., "0000-00-00".utf8).allSatisfy { distance, expected in
            expected == UInt8(ascii: "0") ? Self.isDigit(peek(distance)) : peek(distance) == expected
        }
    }

    private mutating func date() throws(PredicateError) -> PredicateDate {
        let start = position
        while let byte = peek(), Self.isInWord(byte) || "-:.".utf8.contains(byte) { position += 1 }
        if peek() == UInt8(ascii: "?") {
            position += 1
            while let byte = peek(), Self.isInWord(byte) || "-+.".utf8.contains(byte) { position += 1 }
        }
        guard let date = PredicateDate(String(decoding: text[start..<position], as: UTF8.self)) else {
            throw failure(
                "invalid date: expected 2020-01-31 or 2020-01-31T12:00:00, before 1899-12-30 without a time",
                at: start
            )
        }
        return date
    }

    private mutating func symbol() throws(PredicateError) -> ExpressionToken {
        for symbol in Self.symbols + (hasArithmetic ? Self.arithmetic : []) {
            let length = symbol.text.utf8CodeUnitCount
            guard position + length <= text.count,
                text[position..<(position + length)].elementsEqual("\(symbol.text)".utf8)
            else { continue }
            position += length
            return symbol.token
        }
        throw failure("unexpected character", at: position)
    }
}
