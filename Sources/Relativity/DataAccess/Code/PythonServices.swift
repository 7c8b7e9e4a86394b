// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// Writes Python classes for services, for use with the package `relativity`.
struct PythonServices {
    private static let head = """
        # The calls of a server's services, written by relctl services --code python.

        from __future__ import annotations

        from dataclasses import dataclass
        from datetime import datetime
        from decimal import Decimal
        from enum import Enum
        from typing import Any, NamedTuple
        from uuid import UUID

        from relativity import services

        """

    /// Also the members of Enum and NamedTuple that a member of a class must not replace, and the functions of Python, which
    /// mypy takes for a type of that name that is declared later.
    private static let reserved = CodeLanguage.python.reserved.union(
        """
        Enum NamedTuple RODL STRUCTS abs aiter all anext any ascii bin breakpoint bytearray callable chr compile complex count \
        delattr dict dir divmod enumerate eval exec exit filter format frozenset getattr globals hasattr hash help hex id \
        index input isinstance issubclass iter len list locals map max memoryview min mro name next object oct open ord pow \
        print property quit range repr result reversed round self services set setattr slice sorted staticmethod sum super \
        tuple type value vars zip
        """.split(separator: " ").map(String.init)
    )

    private let calls: DeclaredCalls
    private let names: ServiceNames

    init(_ calls: DeclaredCalls) {
        self.calls = calls
        names = ServiceNames(calls, reserved: Self.reserved)
    }

    /// A module.
    var code: String {
        var blocks = calls.enums.map(code(for:)) + calls.structs.map(code(for:))
        blocks.append(
            ["STRUCTS: services.Structs = {"] + calls.structs.map(entry(for:))
                + ["}", "RODL: str | None = \(ServiceCode.rodl(of: calls).map(literal) ?? "None")"]
        )
        var tuples = names.members(otherwise: "Results")
        for (service, name) in zip(calls.services, names.services) {
            blocks += code(for: service, named: name, &tuples)
        }
        return Self.head + blocks.map { "\n\n" + $0.joined(separator: "\n") + "\n" }.joined()
    }

    // MARK: Types

    private func code(for found: DeclaredCalls.Enum) -> [String] {
        var members = names.members(otherwise: "value")
        // Python makes members with the same value one.
        let values =
            found.values.isEmpty ? ["    pass"] : found.values.map { "    \(members.add($0)) = \(literal($0))" }
        return ["class \(names[enum: found.values] ?? "")(Enum):"] + values
    }

    private func code(for found: DeclaredCalls.Struct) -> [String] {
        let ancestor = found.ancestor.map { "(\(names[struct: $0]))" } ?? ""
        let fields = fields(of: found).map { "    \($0.identifier): \(type($0.field.type))" }
        return ["@dataclass", "class \(names[struct: found.name])\(ancestor):"]
            + (fields.isEmpty ? ["    pass"] : fields)
    }

    private func fields(of found: DeclaredCalls.Struct) -> [(identifier: String, field: NamedType)] {
        var members = names.members(otherwise: "field")
        return found.fields.map { (members.add($0.name), $0) }
    }

    private func entry(for found: DeclaredCalls.Struct) -> String {
        let fields = fields(of: found).map { identifier, field in
            "(\(literal(identifier)), \(literal(field.name)), \(kind(field.type)))"
        }
        return "    \(names[struct: found.name]): (\(literal(found.name)), [\(fields.joined(separator: ", "))]),"
    }

    // MARK: Services

    private func code(
        for service: DeclaredCalls.Service,
        named name: String,
        _ tuples: inout CodeIdentifiers
    ) -> [[String]] {
        var members = names.members(otherwise: "method")
        var types: [[String]] = []
        var methods = ["class \(name)(services.Service):"]
        for method in service.methods {
            let identifier = members.add(method.name)
            var returned = method.results.first.map { type($0.type) } ?? "None"
            if method.results.count > 1 {
                // No name of the server begins with an underscore, so that no parameter hides the type.
                returned = "_" + tuples.add("\(name)_\(identifier)")
                var results = names.members(otherwise: "result")
                types.append(
                    ["class \(returned)(NamedTuple):"]
                        + method.results.map { "    \(results.add($0.name)): \(type($0.type))" }
                )
            }
            methods += (methods.count > 1 ? [""] : []) + code(for: method, identifier, service.name, returned: returned)
        }
        return types + [methods]
    }

    private func code(
        for method: MethodSignature,
        _ identifier: String,
        _ service: String,
        returned: String
    ) -> [String] {
        var members = names.members(otherwise: "parameter")
        let parameters = method.parameters.map { (identifier: members.add($0.name), declared: $0) }
        let list = ["self"] + parameters.map { "\($0.identifier): \(type($0.declared.type))" }
        let values = parameters.map { "\(literal($0.declared.name)): \($0.identifier)" }.joined(separator: ", ")
        let results = method.results.map { "(\(literal($0.name)), \(kind($0.type)))" }.joined(separator: ", ")
        let call = """
            self._call(STRUCTS, RODL, \(literal(service)), \(literal(method.name)), {\(values)}, [\(results)])
            """
        let body =
            switch method.results.count {
            case 0: [call]
            case 1: ["result: \(returned) = \(call)[0]", "return result"]
            default: ["return \(returned)(*\(call))"]
            }
        return ["    def \(identifier)(\(list.joined(separator: ", "))) -> \(returned):"]
            + body.map { "        " + $0 }
    }

    private func type(_ type: RemotingType) -> String {
        switch type {
        case .integer, .int64: "int"
        case .double: "float"
        case .boolean: "bool"
        case .dateTime: "datetime"
        case .currency, .decimal: "Decimal"
        case .guid: "UUID"
        case .ansiString, .utf8String, .wideString, .xml: "str"
        case .binary: "bytes | None"
        case .variant: "Any"
        case .enumeration(let values): names[enum: values] ?? "int"
        case .structure(let name): names[struct: name]
        case .array(let element): "list[\(self.type(element))] | None"
        }
    }

    /// The value that names the type when the code runs.
    private func kind(_ type: RemotingType) -> String {
        switch type {
        case .binary: "bytes"
        case .variant: "None"
        case .array(let element): "[\(kind(element))]"
        default: self.type(type)
        }
    }

    private func literal(_ text: String) -> String { CodeLanguage.python.literal(text) }
}
