// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("A server that was added otherwise than it announces itself")
struct AddedOtherwiseTests {
    @Test("its entry counts, and what is announced is told beside it, until they agree")
    func disagreement() throws {
        var state = RegistryState()
        let id = try #require(EndpointID("x"))
        _ = state.see(try .made())
        _ = try state.add("mine", "https://10.0.0.1:7099/bin", id: id)
        let shown = try #require(state.endpoints.first)
        #expect(state.count == 1)
        #expect(shown.url.description == "https://10.0.0.1:7099/bin")
        #expect(shown.announcedURL?.description == "http://srv.local:7099/bin")
        try state.set(shown.id, EndpointSettings(scheme: .http))
        #expect(state.endpoint(shown.id)?.announcedURL == nil)
    }

    @Test("where both agree, or nobody has added it, there is nothing to tell")
    func agreement() throws {
        var state = RegistryState()
        _ = state.see(try .made())
        #expect(state.endpoints.first?.announcedURL == nil)
        _ = try state.add("mine", "10.0.0.1", id: try #require(EndpointID("x")))
        #expect(state.endpoints.first?.announcedURL == nil)
        _ = state.lose(try .made())
        #expect(state.endpoints.first?.announcedURL == nil)
    }
}
