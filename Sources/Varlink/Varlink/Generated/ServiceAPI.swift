// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.varlink.service.varlink. Change that file, then run `make generate`.

public import JSON

/// The types of `org.varlink.service`. Its definition describes them.
public enum ServiceAPI {
    public static let name = "org.varlink.service"

    public enum Method: String, Sendable, CaseIterable {
        case getInfo = "org.varlink.service.GetInfo"
        case getInterfaceDescription = "org.varlink.service.GetInterfaceDescription"
    }

    public struct GetInfoCall: VarlinkMethodCall {
        public typealias Reply = ServiceAPI.GetInfoReply

        public static let method = "org.varlink.service.GetInfo"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetInfoReply: JSONRecord {
        public var vendor: String
        public var product: String
        public var version: String
        public var url: String
        public var interfaces: [String]

        public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
            self.interfaces = interfaces
        }

        public static let members: [JSONMember<Self>] = [
            .init("vendor", \.vendor), .init("product", \.product), .init("version", \.version), .init("url", \.url),
            .init("interfaces", \.interfaces),
        ]
    }

    public struct GetInterfaceDescriptionCall: VarlinkMethodCall {
        public typealias Reply = ServiceAPI.GetInterfaceDescriptionReply

        public static let method = "org.varlink.service.GetInterfaceDescription"

        public var interface: String

        public init(interface: String) {
            self.interface = interface
        }

        public static let members: [JSONMember<Self>] = [.init("interface", \.interface)]
    }

    public struct GetInterfaceDescriptionReply: JSONRecord {
        public var description: String

        public init(description: String) {
            self.description = description
        }

        public static let members: [JSONMember<Self>] = [.init("description", \.description)]
    }
}
