// SPDX-License-Identifier: Apache-2.0

/// An expression after the types were checked: every operation knows the types of its operands.
indirect enum ExpressionNode: Sendable {
    case constant(DataValue)
    case column(Int)
    case convert(ExpressionType, ExpressionNode)
    case fit(DataType, ExpressionNode)
    /// Of a number, which stays of its type.
    case negative(ExpressionNode)
    /// The operands and the result have the same number type.
    case arithmetic(ArithmeticOperator, ExpressionNode, ExpressionNode)
    /// A Currency times an Integer.
    case currencyTimes(ExpressionNode, ExpressionNode)
    case join(ExpressionNode, ExpressionNode)
    /// Not `notEqual`.
    case comparison(PredicateOperator, ExpressionNode, ExpressionNode, PredicateFolding)
    /// A comparison of a text with a literal. Not `notEqual`.
    ///
    /// - Parameter steps: the comparisons for each byte of the text, at most.
    case textTest(TextTest, ExpressionNode, steps: Int)
    case comparedGuid(ExpressionNode)
    case isNull(ExpressionNode)
    case isIn(ExpressionNode, [ExpressionNode], PredicateFolding)
    case between(ExpressionNode, ExpressionNode, ExpressionNode)
    case not(ExpressionNode)
    case and([ExpressionNode])
    case or([ExpressionNode])
    case call(ExpressionFunction, [ExpressionNode])
    /// An item of an index, for the row's values of the index's keys.
    case match(index: Int, item: Int, keys: [ExpressionNode])

    /// Adds the columns of the row that are read.
    func collectColumns(_ columns: inout Set<Int>) {
        switch self {
        case .constant: break
        case .column(let column): columns.insert(column)
        case .convert(_, let inner), .fit(_, let inner), .negative(let inner), .textTest(_, let inner, _),
            .comparedGuid(let inner), .isNull(let inner), .not(let inner):
            inner.collectColumns(&columns)
        case .arithmetic(_, let left, let right), .currencyTimes(let left, let right), .join(let left, let right),
            .comparison(_, let left, let right, _):
            left.collectColumns(&columns)
            right.collectColumns(&columns)
        case .between(let value, let low, let high):
            for part in [value, low, high] { part.collectColumns(&columns) }
        case .isIn(let value, let list, _):
            value.collectColumns(&columns)
            for part in list { part.collectColumns(&columns) }
        case .and(let parts), .or(let parts), .call(_, let parts), .match(_, _, let parts):
            for part in parts { part.collectColumns(&columns) }
        }
    }
}

/// A row in the bytes of a stream, and values of further columns.
struct CellRow {
    let bytes: UnsafeRawBufferPointer
    let layout: RowLayout
    let slots: UnsafeMutableBufferPointer<Int>
    private var further: [DataValue] = []

    init(bytes: UnsafeRawBufferPointer, layout: RowLayout, slots: UnsafeMutableBufferPointer<Int>) {
        self.bytes = bytes
        self.layout = layout
        self.slots = slots
    }

    /// Adds the value of a further column.
    mutating func append(_ value: DataValue) { further.append(value) }

    @inline(__always)
    func value(_ column: Int) -> DataValue {
        guard column < layout.types.count else { return further[column - layout.types.count] }
        let position = slots[layout.slot(column)]
        guard position != RowLayout.nullPosition else { return .null }
        let type = layout.types[column]
        // The usual types, without the reader's list of types.
        switch type {
        case .integer, .autoInc: return .integer(Int64(Int32(littleEndian: load(position))))
        case .largeInt, .largeAutoInc: return .integer(Int64(littleEndian: load(position)))
        case .currency: return .currency(scaled: Int64(littleEndian: load(position)))
        case .float: return .float(Double(bitPattern: UInt64(littleEndian: load(position))))
        case .dateTime: return .dateTime(days: Double(bitPattern: UInt64(littleEndian: load(position))))
        default: return CellReader.value(bytes, at: position, type, layout.codePage)
        }
    }

    @inline(__always)
    private func load<Value: BitwiseCopyable>(_ position: Int) -> Value {
        bytes.loadUnaligned(fromByteOffset: position, as: Value.self)
    }
}
