// SPDX-License-Identifier: Apache-2.0

/// The interface descriptions of the API, the same text that `org.varlink.service.GetInterfaceDescription` answers.
public enum InterfaceText {
    public static let manager = text(PackageResources.org_relativityd_Manager_varlink)
    public static let registry = text(PackageResources.org_relativityd_Registry_varlink)
    public static let credentials = text(PackageResources.org_relativityd_Credentials_varlink)
    public static let broker = text(PackageResources.org_relativityd_Broker_varlink)
    public static let audit = text(PackageResources.org_relativityd_Audit_varlink)

    /// In the order in which `GetInfo` lists them.
    public static let all = [manager, registry, credentials, broker, audit]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
