// SPDX-License-Identifier: Apache-2.0

/// The definitions of the API's interfaces, as `org.varlink.service.GetInterfaceDescription` answers them.
public enum InterfaceText {
    /// In the order in which `GetInfo` lists them.
    public static let all = [
        ManagerAPI.definition, RegistryAPI.definition, CredentialsAPI.definition, BrokerAPI.definition,
        AuditAPI.definition,
    ]
}
