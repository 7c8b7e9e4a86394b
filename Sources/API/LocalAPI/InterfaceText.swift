// SPDX-License-Identifier: Apache-2.0

/// The definitions of the API's interfaces, as `org.varlink.service.GetInterfaceDescription` returns them.
public enum InterfaceText {
    /// The definitions of the daemon's own socket, in the order in which `GetInfo` lists the interfaces.
    public static let all = [
        ManagerAPI.definition, RegistryAPI.definition, CredentialsAPI.definition, BrokerAPI.definition,
        AuditAPI.definition,
    ]

    /// The definition of the only interface on the daemon's second socket.
    public static let adapters = AdaptersAPI.definition

    /// The definition of the interface of the helper for data.
    public static let data = DataAPI.definition

    fileprivate static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }
}

extension ManagerAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Manager_varlink)
}

extension RegistryAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Registry_varlink)
}

extension CredentialsAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Credentials_varlink)
}

extension BrokerAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Broker_varlink)
}

extension AuditAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Audit_varlink)
}

extension AdaptersAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Adapters_varlink)
}

extension DataAPI {
    /// The definition of the interface.
    public static let definition = InterfaceText.text(PackageResources.org_relativityd_Data_varlink)
}
