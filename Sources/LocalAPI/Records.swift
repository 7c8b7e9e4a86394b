// SPDX-License-Identifier: Apache-2.0

public import JSON

public typealias SourceRecord = ManagerAPI.Source
public typealias StatusRecord = ManagerAPI.Status
public typealias EndpointRecord = RegistryAPI.Endpoint
public typealias IdentityRecord = RegistryAPI.Identity
public typealias ProbeRecord = RegistryAPI.Probe
public typealias SlotRecord = CredentialsAPI.Slot
public typealias ProviderRecord = CredentialsAPI.Provider
public typealias AnchorRecord = CredentialsAPI.Anchor
public typealias VaultRecord = CredentialsAPI.Vault
public typealias LoginRecord = CredentialsAPI.Login
public typealias ExtraRecord = CredentialsAPI.Extra
public typealias StepRecord = CredentialsAPI.Step
public typealias PinRecord = CredentialsAPI.Pin
public typealias ImportedLoginRecord = CredentialsAPI.ImportedLogin
public typealias AuditLineRecord = AuditAPI.Line
public typealias AuditFaultRecord = AuditAPI.Fault
public typealias AuditReportRecord = AuditAPI.Report
public typealias AdapterRecord = BrokerAPI.Adapter
public typealias GrantRecord = BrokerAPI.Grant
public typealias ExchangeRecord = BrokerAPI.Exchange
public typealias APIMessage = JSONRecord
