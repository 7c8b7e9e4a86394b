// SPDX-License-Identifier: Apache-2.0

/// The properties of a service that `org.varlink.service.GetInfo` returns.
public struct VarlinkServiceInfo: Sendable, Hashable {
    /// The name of the vendor.
    public let vendor: String
    /// The name of the product.
    public let product: String
    /// The version of the product.
    public let version: String
    /// The address of the project's web site.
    public let url: String

    /// A service with these values.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
