// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import LocalAPI
import Platform
import Remoting

/// The method of a call, and the structs of its values.
struct CallSignature {
    /// A method of which no parameters are known.
    struct Unknown: Error {
        /// A part of a sentence. Untrusted parts are escaped.
        let reason: String
    }

    let method: MethodSignature
    let structs: StructCatalog

    init(_ method: MethodSignature, structs: StructCatalog = ServiceCatalog.structs) {
        (self.method, self.structs) = (method, structs)
    }

    /// The method as a RODL declares it. Without a RODL as Data Abstract does; if the parameters are others, as the server
    /// describes it.
    ///
    /// - Parameters:
    ///   - names: those of the parameters that the caller gives.
    ///   - rodl: the text of a RODL; nil for none.
    /// - Throws: `Unknown`; `DataError.badCall` for other parameters; the errors of `RemoteDataAdapter.services`.
    init(
        of method: String,
        _ service: String,
        _ names: [String],
        rodl: String?,
        _ adapter: RemoteDataAdapter
    ) async throws {
        if let rodl {
            do {
                try self.init(of: method, service, names, in: try RODLFile(parsing: rodl))
            } catch let error as RODLError {
                throw Unknown(reason: "\(Printable("\(error)"))")
            }
            return
        }
        let known = ServiceCatalog.signatures(of: method)
        if let fitting = known.first(where: { Self.fits($0, names) }) {
            self.init(fitting)
            return
        }
        let reason: String
        do {
            try self.init(of: method, service, names, in: try await adapter.services())
            return
        } catch let unknown as Unknown {
            reason = "the server describes \(unknown.reason)"
        } catch let error as RODLError {
            reason = "the server's description: \(Printable("\(error)"))"
        } catch let error as ServicePageError {
            reason = "the server \(error)"
        } catch DataAdapterError.exception(let exception) where !exception.isFailureOfServer {
            reason = "the server answered with \(Printable(exception.className))"
        }
        if let first = known.first { throw Self.otherParameters(of: first) }
        throw Unknown(reason: reason)
    }

    /// - Throws: `Unknown`; `RODLError` for a type that is not known; `DataError.badCall` for other parameters.
    private init(of method: String, _ service: String, _ names: [String], in rodl: RODLFile) throws {
        guard let declared = try rodl.signature(of: method, service: service) else {
            throw Unknown(reason: "no method \(Printable(method)) of \(Printable(service))")
        }
        guard Self.fits(declared, names) else { throw Self.otherParameters(of: declared) }
        self.init(declared, structs: rodl.structs)
    }

    /// Whether the method has parameters of these names. Several services may have methods of the same name.
    private static func fits(_ method: MethodSignature, _ names: [String]) -> Bool {
        method.parameters.count == names.count
            && Set(method.parameters.map { NameKey($0.name) }) == Set(names.map { NameKey($0) })
    }

    private static func otherParameters(of method: MethodSignature) -> DataError {
        let names = method.parameters.map { "\(Printable($0.name))" }.joined(separator: ", ")
        let parameters = names.isEmpty ? "no parameters" : "the parameters \(names)"
        return .badCall(message: "\(Printable(method.name)) has \(parameters), and all are required")
    }
}
