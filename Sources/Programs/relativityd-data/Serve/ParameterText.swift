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
        guard let value = DataValue(text, as: type) else { throw .invalidParameter("parameters.value") }
        self.init(parameter.name, value)
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
