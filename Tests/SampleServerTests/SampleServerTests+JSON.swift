// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import NIOCore
import Remoting
import Testing

@testable import SampleServer

extension SampleServerTests {
    @Test("a JSON exception has status 500, and a request that is not JSON gets 400")
    func jsonErrors() async throws {
        try await withServer(path: "/json") { channel, _ async throws in
            let request = JSONRequest(
                clientID: ClientID(),
                service: "DataService",
                method: "GetSchema",
                parameters: [:]
            )
            let poll = JSONRequest(polling: "DataService", clientID: ClientID(), eventLimit: 1)
            for message in [request, poll] {
                await #expect(throws: RemotingError.httpStatus(500)) {
                    try await channel.post(message.encoded(), deadline: deadline)
                }
            }
            await #expect(throws: RemotingError.httpStatus(400)) {
                try await channel.post(SchemaRequest.encode(clientID: ClientID()), deadline: deadline)
            }
        }
    }

    @Test("a poll in JSON returns the same events with the names of their parameters")
    func jsonEvents() async throws {
        try await withServer(path: "/json") { channel, _ async throws in
            let id = ClientID()
            func post(_ service: String, _ method: String, _ parameters: JSONObject) async throws -> ByteBuffer {
                let request = JSONRequest(clientID: id, service: service, method: method, parameters: parameters)
                return try await channel.post(request.encoded(), deadline: deadline)
            }
            _ = try await post("LoginService", "Login", ["aUserID": "Data", "aPassword": "Relativity"])
            for text in ["one", "zwei ü", "three"] {
                _ = try await post("DASampleService", "Announce", ["aText": .string(text)])
            }
            let poll = JSONRequest(polling: "DataService", clientID: id, eventLimit: 2)
            let bytes = try await channel.post(poll.encoded(), deadline: deadline)
            let reply = try JSONPollReply.decode(bytes) { _ in SampleEvents.parameters }
            let texts = try reply.events.map { event in
                var parameters = BinMessageReader(event.parameters)
                return try parameters.readUTF8()
            }
            #expect(texts == ["one", "zwei ü"] && reply.left == 1)
        }
    }
}
