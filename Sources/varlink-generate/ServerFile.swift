// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The Swift file with the server's side of an interface: a protocol with a function for each method, which calls them.
struct ServerFile {
    let description: VarlinkDescription
    let names: InterfaceNames
    /// The module with the types, if they are in another one.
    let module: String?

    private var server: String { "\(names.namespace)Server" }

    func text() -> String {
        var source = SourceText()
        names.head(&source)
        let modules = ["Varlink", "VarlinkService"] + (module.map { [$0] } ?? [])
        for module in modules.sorted() { source.line("import \(module)") }
        source.line()
        source.line("/// Carries out the methods of `\(description.name)`.")
        source.block("protocol \(server): VarlinkInterface") { source in
            for (index, method) in description.methods.enumerated() {
                if index > 0 { source.line() }
                source.documentation(method.documentation)
                source.line("\(function(method)) async throws")
            }
        }
        source.line()
        source.block("extension \(server)") { source in
            source.line("var name: String { \(names.namespace).name }")
            source.line()
            source.line("var description: String { \(names.namespace).definition }")
            source.line()
            source.block("func call(_ call: VarlinkCall) async throws") { source in
                source.line("switch call.method {")
                for method in description.methods {
                    let name = SwiftNames.method(method.name)
                    source.line("case \"\(method.name)\": try await self.\(name)(try TypedCall(call))")
                }
                source.line("default: throw VarlinkError.methodNotImplemented(call.method)")
                source.line("}")
            }
        }
        return source.text
    }

    private func function(_ method: VarlinkDescription.Method) -> String {
        let type = "TypedCall<\(names.namespace).\(InterfaceNames.call(method))>"
        return "func \(SwiftNames.method(method.name))(_ call: \(type))"
    }
}
