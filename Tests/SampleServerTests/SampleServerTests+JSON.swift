// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import NIOCore
import Remoting
import Testing

@testable import SampleServer

extension SampleServerTests {
    @Test("the same services answer JSON as well as BinMessage")
    func json() async throws {
        try await withServer(path: "/JSON") { channel, _ async throws in
            let id = ClientID()
            func call(
                _ method: MethodSignature,
                _ service: String,
                _ values: [RemotingValue]
            ) async throws
                -> [RemotingValue]
            {
                let named = zip(method.parameters, values).map { NamedValue($0.name, $1) }
                let request = JSONRequest(
                    clientID: id,
                    service: service,
                    method: method.name,
                    parameters: JSONObject(named)
                )
                let reply = try await channel.post(request.encoded(), deadline: deadline)
                return try JSONReply.values(of: reply, method.results, ServiceCatalog.structs)
            }
            let text = "User=simple;Password=simple;Domain=DASamples"
            let login = try await call(
                ServiceCatalog.loginEx,
                "LoginService",
                [.utf8String(text)]
            )
            #expect(login == [.boolean(true)])
            let schema = try await call(ServiceCatalog.schema, "DataService.Simple", [.utf8String("")])
            guard case .utf8String(let xml) = schema.first else { throw RemotingError.malformed(reason: "no schema") }
            #expect(xml.contains("<Name>Deps</Name>"))
            let user = try await call(
                ServiceCatalog.simpleLogin,
                "SimpleLoginService",
                [.utf8String("Data"), .utf8String("Relativity")]
            )
            guard case .structure(let info) = user.last else { throw RemotingError.malformed(reason: "no UserInfo") }
            #expect(info["UserID"] == .utf8String("Data"))
            #expect(try await call(ServiceCatalog.logout, "LoginService", []) == [])
        }
    }

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
