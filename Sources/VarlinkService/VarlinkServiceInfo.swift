// SPDX-License-Identifier: Apache-2.0

/// What `org.varlink.service.GetInfo` tells about a service.
public struct VarlinkServiceInfo: Sendable, Hashable {
    public let vendor: String
    public let product: String
    public let version: String
    public let url: String

    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
