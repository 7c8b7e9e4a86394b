// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.varlink.service

public import JSON

/// An error of one of the interfaces. Their definitions describe them.
public struct ServiceError: VarlinkFault {
    public enum Code: String, Sendable, CaseIterable {
        case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
        case methodNotFound = "org.varlink.service.MethodNotFound"
        case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
        case invalidParameter = "org.varlink.service.InvalidParameter"
        case permissionDenied = "org.varlink.service.PermissionDenied"
        case expectedMore = "org.varlink.service.ExpectedMore"
    }

    public let code: Code
    public let parameters: JSONObject

    public init(_ code: Code, _ parameters: JSONObject) {
        self.code = code
        self.parameters = parameters
    }
}

extension ServiceError {
    public static func interfaceNotFound(interface: String) -> ServiceError {
        ServiceError(.interfaceNotFound, ("interface", interface))
    }
    public static func methodNotFound(method: String) -> ServiceError {
        ServiceError(.methodNotFound, ("method", method))
    }
    public static func methodNotImplemented(method: String) -> ServiceError {
        ServiceError(.methodNotImplemented, ("method", method))
    }
    public static func invalidParameter(parameter: String) -> ServiceError {
        ServiceError(.invalidParameter, ("parameter", parameter))
    }
    public static func permissionDenied() -> ServiceError {
        ServiceError(.permissionDenied)
    }
    public static func expectedMore() -> ServiceError {
        ServiceError(.expectedMore)
    }
}

/// The parameters; nil for an error without the parameter.
extension ServiceError {
    public var interface: String? { read("interface") }
    public var method: String? { read("method") }
    public var parameter: String? { read("parameter") }
}
