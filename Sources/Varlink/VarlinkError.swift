// SPDX-License-Identifier: Apache-2.0

public import JSON

/// An error reply: thrown by a method it is sent to the caller, received it is thrown by the client.
public struct VarlinkError: Error, Hashable {
    /// Fully qualified, such as `org.varlink.service.MethodNotFound`.
    public let name: String

    /// The error's facts, as its declaration in the interface lists them. They reach the peer: nothing secret here.
    public let parameters: JSONObject

    public init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension VarlinkError {
    /// - Parameter interface: the name of an interface that the service lacks.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
    }

    /// - Parameter method: the name of a method that its interface does not declare.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
    }

    /// - Parameter method: the name of a method that is declared but that this service leaves out.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
    }

    /// - Parameter parameter: the key of the first parameter that is missing or unusable.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
    }

    /// The peer may not do what it asked for.
    public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

    /// The method streams, and the caller did not set `more`.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}

extension VarlinkError: CustomStringConvertible {
    public var description: String { parameters.isEmpty ? name : "\(name) \(parameters.text)" }
}
