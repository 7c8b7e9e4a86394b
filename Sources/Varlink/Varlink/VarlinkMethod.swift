// SPDX-License-Identifier: Apache-2.0

public import JSON

extension ServiceAPI {
    /// The definition of the interface.
    public static let definition = String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self)
}

/// The parameters of a method call, as a type. `varlink-generate` generates one for each method of an interface.
public protocol VarlinkMethodCall: JSONRecord {
    /// The parameters of a reply.
    associatedtype Reply: JSONRecord

    /// The name with its interface, such as `org.varlink.service.GetInfo`.
    static var method: String { get }
}

/// An error that an interface declares: a code and its parameters. `varlink-generate` generates a type for the errors of
/// several interfaces. If a method throws one, the service sends it as the reply.
public protocol VarlinkFault: Error, Hashable, CustomStringConvertible {
    /// The errors, each by its name with its interface, such as `org.varlink.service.MethodNotFound`.
    associatedtype Code: RawRepresentable<String>, CaseIterable, Hashable, Sendable

    /// The error.
    var code: Code { get }

    /// The parameters that the interface declares for the error. They are sent to the peer, so they must not contain a
    /// secret.
    var parameters: JSONObject { get }

    /// Creates an error.
    init(_ code: Code, _ parameters: JSONObject)
}

extension VarlinkFault {
    /// Creates an error. Parameters that are nil are left out.
    public init(_ code: Code, _ parameters: (String, any JSONConvertible)...) {
        self.init(code, JSONObject(parameters.filter { !$0.1.isAbsent }.map { ($0.0, $0.1.jsonValue) }))
    }

    /// - Returns: nil for an error of another interface.
    public init?(_ error: VarlinkError) {
        guard let code = Code(rawValue: error.name) else { return nil }
        self.init(code, error.parameters)
    }

    /// The error as a reply.
    public var reply: VarlinkError { VarlinkError(code.rawValue, parameters) }

    /// The parameter `message`, or the name of an error without one.
    public var description: String { read("message") ?? code.rawValue }

    /// A parameter; nil if it is absent or has another shape.
    public func read<Value: JSONConvertible>(_ key: String) -> Value? { try? parameters.read(key) }
}

/// An error reply. If a method throws it, the service sends it to the caller; the client throws the one that it
/// receives.
public struct VarlinkError: Error, Hashable {
    /// The qualified name, such as `org.varlink.service.MethodNotFound`.
    public let name: String

    /// The parameters that the interface declares for the error. They are sent to the peer, so they must not contain
    /// a secret.
    public let parameters: JSONObject

    /// An error with this qualified name.
    public init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension VarlinkError {
    /// - Parameter interface: the name of an interface that the service does not have.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        ServiceError.interfaceNotFound(interface: interface).reply
    }

    /// - Parameter method: the name of a method that its interface does not declare.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        ServiceError.methodNotFound(method: method).reply
    }

    /// - Parameter method: the name of a method that is declared, but that this service does not implement.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        ServiceError.methodNotImplemented(method: method).reply
    }

    /// - Parameter parameter: the key of the first parameter that is missing or invalid.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        ServiceError.invalidParameter(parameter: parameter).reply
    }

    /// The peer is not allowed to make this call.
    public static let permissionDenied = ServiceError.permissionDenied().reply

    /// The method streams, and the caller did not set `more`.
    public static let expectedMore = ServiceError.expectedMore().reply
}

extension VarlinkError: CustomStringConvertible {
    /// The name, with the parameters as JSON if there are any.
    public var description: String { parameters.isEmpty ? name : "\(name) \(parameters.text)" }
}
