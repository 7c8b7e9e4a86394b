// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("A server that was added with another URL than it announces")
struct AddedOtherwiseTests {
    @Test("the entry's URL is used, and the announced one is shown with it until they agree")
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

    @Test("if both agree, or the server was not added, there is no second URL")
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
