// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.varlink.service.varlink. Change that file, then run `make generate`.

public import JSON

/// Information about a service. Every Varlink service has this interface.
public enum ServiceAPI {
    /// The interface's name.
    public static let name = "org.varlink.service"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case getInfo = "org.varlink.service.GetInfo"
        case getInterfaceDescription = "org.varlink.service.GetInterfaceDescription"
    }

    /// Returns the vendor, name and version of the service, and the interfaces that it offers.
    public struct GetInfoCall: VarlinkMethodCall {
        public typealias Reply = ServiceAPI.GetInfoReply

        public static let method = "org.varlink.service.GetInfo"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetInfoCall`.
    public struct GetInfoReply: JSONRecord {
        /// The name of the vendor.
        public var vendor: String
        /// The name of the product.
        public var product: String
        /// The version of the product.
        public var version: String
        /// The address of the project's web site.
        public var url: String
        /// The names of the interfaces.
        public var interfaces: [String]

        public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
            self.interfaces = interfaces
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vendor = try json.read("vendor")
            self.product = try json.read("product")
            self.version = try json.read("version")
            self.url = try json.read("url")
            self.interfaces = try json.read("interfaces")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vendor", self.vendor)
            output.writeMember("product", self.product)
            output.writeMember("version", self.version)
            output.writeMember("url", self.url)
            output.writeMember("interfaces", self.interfaces)
        }
    }

    /// Returns the definition text of an interface. interface is its name.
    public struct GetInterfaceDescriptionCall: VarlinkMethodCall {
        public typealias Reply = ServiceAPI.GetInterfaceDescriptionReply

        public static let method = "org.varlink.service.GetInterfaceDescription"

        public var interface: String

        public init(interface: String) {
            self.interface = interface
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.interface = try json.read("interface")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("interface", self.interface)
        }
    }

    /// A reply to `GetInterfaceDescriptionCall`.
    public struct GetInterfaceDescriptionReply: JSONRecord {
        public var description: String

        public init(description: String) {
            self.description = description
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.description = try json.read("description")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("description", self.description)
        }
    }

    /// The service does not offer the interface.
    public struct InterfaceNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.InterfaceNotFound"

        public var interface: String

        public init(interface: String) {
            self.interface = interface
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.interface = try json.read("interface")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("interface", self.interface)
        }
    }

    /// The interface does not declare the method.
    public struct MethodNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.MethodNotFound"

        public var method: String

        public init(method: String) {
            self.method = method
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.method = try json.read("method")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("method", self.method)
        }
    }

    /// The interface declares the method, and this service does not implement it.
    public struct MethodNotImplementedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.MethodNotImplemented"

        public var method: String

        public init(method: String) {
            self.method = method
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.method = try json.read("method")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("method", self.method)
        }
    }

    /// A parameter is missing, or has a type or a value that the method does not take.
    public struct InvalidParameterError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.InvalidParameter"

        public var parameter: String

        public init(parameter: String) {
            self.parameter = parameter
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.parameter = try json.read("parameter")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("parameter", self.parameter)
        }
    }

    /// The caller is not allowed to make this call.
    public struct PermissionDeniedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.PermissionDenied"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// The method sends several replies: the call must set "more".
    public struct ExpectedMoreError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.varlink.service.ExpectedMore"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// The definition of the interface.
    public static let definition = #"""
        # Information about a service. Every Varlink service has this interface.
        interface org.varlink.service

        # Returns the vendor, name and version of the service, and the interfaces that it offers.
        method GetInfo() -> (
          # The name of the vendor.
          vendor: string,
          # The name of the product.
          product: string,
          # The version of the product.
          version: string,
          # The address of the project's web site.
          url: string,
          # The names of the interfaces.
          interfaces: []string
        )

        # Returns the definition text of an interface. interface is its name.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service does not offer the interface.
        error InterfaceNotFound (interface: string)

        # The interface does not declare the method.
        error MethodNotFound (method: string)

        # The interface declares the method, and this service does not implement it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, or has a type or a value that the method does not take.
        error InvalidParameter (parameter: string)

        # The caller is not allowed to make this call.
        error PermissionDenied ()

        # The method sends several replies: the call must set "more".
        error ExpectedMore ()

        """#
}
