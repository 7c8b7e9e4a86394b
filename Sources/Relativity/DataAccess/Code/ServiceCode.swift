// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import JSON
import Remoting

/// Writes code for the calls of a server's services through the Data API (`org.relativityd.Data.Call`). Names of the server
/// are written as `CodeLanguage` says.
package enum ServiceCode {
    /// The longest description that calls contain, which leaves space for their parameters.
    package static let maximumRODL = 128 << 10

    /// A source file with a class for each service; nil for a language without such code.
    package static func code(for calls: DeclaredCalls, in language: CodeLanguage) -> String? {
        switch language {
        case .python: PythonServices(calls).code
        case .typescript: TypeScriptServices(calls).code
        case .swift: nil
        }
    }

    /// The description that calls contain; nil if it is too long, and calls need the server's own.
    package static func rodl(of calls: DeclaredCalls) -> String? {
        let text = calls.rodl.text
        return text.utf8.count <= maximumRODL ? text : nil
    }
}

/// The identifiers of services and types in generated code.
struct ServiceNames {
    /// One for each service.
    let services: [String]
    private let structs: [String: String]
    private let enums: [[String]: String]
    private let reserved: Set<String>

    init(_ calls: DeclaredCalls, reserved: Set<String>) {
        var types = CodeIdentifiers(otherwise: "Type", reserved: reserved)
        services = calls.services.map { types.add($0.name) }
        structs = Dictionary(calls.structs.map { ($0.name, types.add($0.name)) }) { first, _ in first }
        enums = Dictionary(calls.enums.map { ($0.values, types.add($0.name)) }) { first, _ in first }
        self.reserved = types.taken
    }

    /// The identifier of a struct of the calls.
    subscript(struct name: String) -> String { structs[name] ?? "" }

    /// The identifier of an enum of the calls; nil for one without declared values.
    subscript(enum values: [String]) -> String? { enums[values] }

    /// Identifiers for the members of a type or the parameters of a method, none of which is the name of a type.
    ///
    /// - Parameter otherwise: the name instead of one without a letter or digit.
    func members(otherwise: String) -> CodeIdentifiers { CodeIdentifiers(otherwise: otherwise, reserved: reserved) }
}
