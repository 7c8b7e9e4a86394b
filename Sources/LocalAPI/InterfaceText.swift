// SPDX-License-Identifier: Apache-2.0

/// The definitions of the API's interfaces, as `org.varlink.service.GetInterfaceDescription` answers them.
public enum InterfaceText {
    public static let manager = ManagerAPI.definition
    public static let registry = RegistryAPI.definition
    public static let credentials = CredentialsAPI.definition
    public static let broker = BrokerAPI.definition
    public static let audit = AuditAPI.definition

    /// In the order in which `GetInfo` lists them.
    public static let all = [manager, registry, credentials, broker, audit]
}
