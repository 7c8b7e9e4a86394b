// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import LocalAPI
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
        let type: String? =
            switch parameter.value {
            case .null: nil
            case .integer: "LargeInt"
            case .unsigned: "LargeUInt"
            case .float: "Float"
            case .dateTime: "DateTime"
            case .currency: "Currency"
            case .boolean: "Boolean"
            case .decimal: "Decimal"
            case .text, .unreadable: "WideString"
            case .bytes: "Blob"
            }
        self.init(name: parameter.name, value: parameter.value.text(as: .unknown), type: type)
    }
}
