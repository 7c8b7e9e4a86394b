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

/// An error of an interface with its parameters, as a type. If a method throws one, the service sends it as the
/// reply.
public protocol VarlinkErrorRecord: JSONRecord, Error {
    /// The name with its interface, such as `org.varlink.service.MethodNotFound`.
    static var name: String { get }
}

extension VarlinkError {
    /// The error as a reply.
    public init(_ record: some VarlinkErrorRecord) {
        self.init(type(of: record).name, record.json)
    }
}

extension VarlinkErrorRecord {
    /// - Returns: nil if it is another error, or if it lacks a parameter.
    public init?(_ error: VarlinkError) {
        guard error.name == Self.name else { return nil }
        try? self.init(json: error.parameters)
    }
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
        VarlinkError(ServiceAPI.InterfaceNotFoundError(interface: interface))
    }

    /// - Parameter method: the name of a method that its interface does not declare.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(ServiceAPI.MethodNotFoundError(method: method))
    }

    /// - Parameter method: the name of a method that is declared, but that this service does not implement.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(ServiceAPI.MethodNotImplementedError(method: method))
    }

    /// - Parameter parameter: the key of the first parameter that is missing or invalid.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(ServiceAPI.InvalidParameterError(parameter: parameter))
    }

    /// The peer is not allowed to make this call.
    public static let permissionDenied = VarlinkError(ServiceAPI.PermissionDeniedError())

    /// The method streams, and the caller did not set `more`.
    public static let expectedMore = VarlinkError(ServiceAPI.ExpectedMoreError())
}

extension VarlinkError: CustomStringConvertible {
    /// The name, with the parameters as JSON if there are any.
    public var description: String { parameters.isEmpty ? name : "\(name) \(parameters.text)" }
}
