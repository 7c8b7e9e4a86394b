// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Testing

@Suite("Codes of the daemon and of the API")
struct CodeTests {
    private static func words<Code: CaseIterable & RawRepresentable<String>>(_ codes: Code.Type) -> [String] {
        codes.allCases.map(\.rawValue)
    }

    @Test("both have the same words")
    func same() {
        #expect(Self.words(SourceFault.Code.self) == Self.words(ManagerAPI.SourceFault.Code.self))
        #expect(Self.words(StateReason.Code.self) == Self.words(RegistryAPI.Reason.Code.self))
        #expect(Self.words(AdapterCloseReason.self) == Self.words(BrokerAPI.WatchReply.Reason.self))
        #expect(Self.words(PinStrength.self) == Self.words(RegistryAPI.PinStrength.self))
        #expect(Self.words(PinStrength.self) == Self.words(CredentialsAPI.PinStrength.self))
        #expect(Self.words(SlotStrength.self) == Self.words(CredentialsAPI.SlotStrength.self))
        #expect(Self.words(ProviderFault.Code.self) == Self.words(CredentialsAPI.ProviderFault.Code.self))
        #expect(Self.words(AnchorNote.Code.self) == Self.words(CredentialsAPI.AnchorNote.Code.self))
        #expect(Self.words(CaptureNote.Code.self) == Self.words(BrokerAPI.ExchangeNote.Code.self))
        #expect(Self.words(EndpointState.self) == Self.words(RegistryAPI.Endpoint.State.self))
        #expect(Self.words(Origin.self) == Self.words(RegistryAPI.Endpoint.Origin.self))
        #expect(Self.words(VaultState.self) == Self.words(ManagerAPI.Status.Vault.self))
        #expect(Self.words(VaultState.self) == Self.words(CredentialsAPI.Vault.State.self))
        #expect(Self.words(ImportConflict.self) == Self.words(CredentialsAPI.ImportedLogin.Reason.self))
        #expect(Self.words(LoginChooser.self) == Self.words(BrokerAPI.Chooser.self))
        #expect(Self.words(CapturedExchange.Step.self) == Self.words(BrokerAPI.Exchange.Step.self))
        #expect(Self.words(CaptureNote.Kind.self) == Self.words(BrokerAPI.ExchangeNote.Kind.self))
    }
}
