// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Testing

@Suite("Codes of the daemon and of the API")
struct CodeTests {
    @Test("both have the same values")
    func same() {
        let words = SourceFault.Code.allCases.map(\.rawValue)
        #expect(words == ManagerAPI.SourceFault.Code.allCases.map(\.rawValue))
        #expect(StateReason.Code.allCases.map(\.rawValue) == RegistryAPI.Reason.Code.allCases.map(\.rawValue))
        #expect(AdapterCloseReason.allCases.map(\.rawValue) == BrokerAPI.WatchReply.Reason.allCases.map(\.rawValue))
    }
}
