// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The Swift file with one enum for the errors of several interfaces.
struct ErrorsFile {
    /// The interfaces, with the namespaces that hold their types.
    let interfaces: [(namespace: String, description: VarlinkDescription)]
    /// The name of the enum.
    let name: String
    /// `public`, `package` or `internal`.
    let access: String

    private struct Case {
        let name: String
        /// The type of the error.
        let record: String
        /// The name with the interface.
        let qualified: String
        let documentation: String
    }

    /// Names that the enum has besides its cases.
    private static let reserved: Set = ["code", "record", "allCases"]

    private var prefix: String { access == "internal" ? "" : "\(access) " }

    /// - Throws: `GeneratorError.nameTaken` if two errors would be one case.
    func text() throws(GeneratorError) -> String {
        let cases = try cases()
        var source = SourceText()
        source.line("// SPDX-License-Identifier: Apache-2.0")
        source.line("// swift-format-ignore-file")
        source.line("// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.")
        for interface in interfaces { source.line("// \(interface.description.name)") }
        source.line()
        source.line("\(prefix)import Varlink")
        source.line()
        source.line("/// An error of one of the interfaces.")
        source.block("\(prefix)enum \(name): Error, Hashable") { source in
            for each in cases {
                source.documentation(each.documentation)
                source.line("case \(each.name)(\(each.record))")
            }
            source.line()
            source.line("/// The name of an error, with its interface.")
            source.block("\(prefix)enum Code: String, Sendable, CaseIterable") { source in
                for each in cases { source.line("case \(each.name) = \"\(each.qualified)\"") }
            }
            source.line()
            source.line("/// - Returns: nil for an error of another interface, and for one that lacks a parameter.")
            source.block("\(prefix)init?(_ error: VarlinkError)") { source in
                source.line("switch Code(rawValue: error.name) {")
                for each in cases {
                    source.line("case .\(each.name)?:")
                    source.indented { source in
                        source.line("guard let record = \(each.record)(error) else { return nil }")
                        source.line("self = .\(each.name)(record)")
                    }
                }
                source.line("case nil: return nil")
                source.line("}")
            }
            source.line()
            source.line("/// The name.")
            property("code: Code", cases, &source) { "case .\($0.name): .\($0.name)" }
            source.line()
            source.line("/// The parameters.")
            property("record: any VarlinkErrorRecord", cases, &source) { "case .\($0.name)(let record): record" }
        }
        return source.text
    }

    private func property(
        _ declaration: String,
        _ cases: [Case],
        _ source: inout SourceText,
        _ line: (Case) -> String
    ) {
        source.block("\(prefix)var \(declaration)") { source in
            source.line("switch self {")
            for each in cases { source.line(line(each)) }
            source.line("}")
        }
    }

    private func cases() throws(GeneratorError) -> [Case] {
        var taken = Self.reserved
        var cases: [Case] = []
        for (namespace, description) in interfaces {
            for error in description.errors {
                let name = SwiftNames.method(error.name)
                guard taken.insert(name).inserted else { throw .nameTaken(name) }
                cases.append(
                    Case(
                        name: name,
                        record: "\(namespace).\(InterfaceNames.error(error))",
                        qualified: "\(description.name).\(error.name)",
                        documentation: error.documentation
                    )
                )
            }
        }
        return cases
    }
}
