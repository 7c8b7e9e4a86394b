// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import LocalAPI
import NIOCore
import Platform
import Remoting
import Varlink

extension DataParameter {
    /// Reads a parameter of a call.
    ///
    /// - Throws: `InvalidParameter` if the type is unknown, or if the text does not have it.
    init(_ parameter: DataAPI.Parameter) throws(VarlinkError) {
        guard let type = DataType(name: "dat" + (parameter.type ?? "WideString")) else {
            throw .invalidParameter("parameters.type")
        }
        guard let text = parameter.value else {
            self.init(parameter.name, .null)
            return
        }
        guard let value = DataValue(text, type) else { throw .invalidParameter("parameters.value") }
        self.init(parameter.name, value)
    }
}

extension DataValue {
    /// Reads a text in the form of docs/local-api.md; nil if it does not have the type.
    init?(_ text: String, _ type: DataType) {
        switch type {
        case .boolean:
            guard let value = Bool(text) else { return nil }
            self = .boolean(value)
        case .byte, .shortInt, .word, .smallInt, .integer, .autoInc, .cardinal, .largeInt, .largeAutoInc:
            guard let value = Int64(text) else { return nil }
            self = .integer(value)
        case .largeUInt:
            guard let value = UInt64(text) else { return nil }
            self = .unsigned(value)
        case .float, .singleFloat:
            guard let value = Double(text), value.isFinite else { return nil }
            self = .float(value)
        case .currency:
            guard let value = Currency(text) else { return nil }
            self = .currency(scaled: value.scaled)
        case .decimal:
            guard let value = DataDecimal(text) else { return nil }
            self = .decimal(value)
        case .dateTime:
            guard let value = PredicateDate(text) else { return nil }
            self = .dateTime(days: Double(value.milliseconds) / 86_400_000 + DateTime.unixEpochDays)
        case .blob:
            guard let bytes = Base64.decode(text) else { return nil }
            self = .bytes(ByteBuffer(bytes: bytes))
        case .string, .memo, .wideString, .wideMemo, .fixedChar, .fixedWideChar, .xml, .guid: self = .text(text)
        case .unknown, .cursor: return nil
        }
    }
}

extension DataAPI.Parameter {
    /// A parameter that a command has returned.
    init(_ parameter: DataParameter) {
        self.init(name: parameter.name)
        switch parameter.value {
        case .null: break
        case .integer(let number): (value, type) = ("\(number)", "LargeInt")
        case .unsigned(let number): (value, type) = ("\(number)", "LargeUInt")
        case .float(let number): (value, type) = ("\(number)", "Float")
        case .dateTime(let days): (value, type) = (PredicateDate(days: days).map { "\($0)" } ?? "\(days)", "DateTime")
        case .currency(let scaled): (value, type) = ("\(Currency(scaled: scaled))", "Currency")
        case .boolean(let flag): (value, type) = ("\(flag)", "Boolean")
        case .decimal(let number): (value, type) = ("\(number)", "Decimal")
        case .text(let text): (value, type) = (text, "WideString")
        case .bytes(let bytes): (value, type) = (Base64.encode(Array(bytes.readableBytesView)), "Blob")
        }
    }
}
