// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import Testing

@testable import Services

@Suite struct LoginStringTests {
    private func text(_ login: LoginString, _ password: String) throws -> String {
        var buffer = ByteBuffer()
        let bytes = Array(password.utf8)
        let count = try bytes.withUnsafeBytes { try login.write(password: $0, to: &buffer) }
        #expect(count == buffer.readableBytes)
        #expect(bytes.withUnsafeBytes { login.byteCount(password: $0) } == count)
        return String(buffer: buffer)
    }

    @Test("the string matches the vendor's template")
    func golden() throws {
        let login = try LoginString(user: "Data", domain: "DASamples", schema: "PCTrade")
        #expect(
            try text(login, "Relativity")
                == #"User Id="Data";Password="Relativity";Domain="DASamples";Schema="PCTrade""#
        )
        #expect(try text(LoginString(user: "", domain: "", schema: nil), "") == #"User Id="";Password="";Domain="""#)
        #expect(
            try text(LoginString(user: #"a"b"#, domain: "D;x=y", schema: ""), #""""#)
                == #"User Id="a""b";Password="""""";Domain="D;x=y";Schema="""#
        )
    }

    @Test("the user's key has two spellings, and further keys follow the others")
    func furtherKeys() throws {
        let login = try LoginString(
            user: "u",
            domain: "d",
            schema: nil,
            userKey: .user,
            further: [LoginStringEntry(key: "Access Level", value: #"a"b;c"#), LoginStringEntry(key: "X", value: "")]
        )
        #expect(try text(login, "p") == #"User="u";Password="p";Domain="d";Access Level="a""b;c";X="""#)
        let parsed = try LoginStringParser.parse(try text(login, "p").utf8)
        #expect(parsed.user == "u")
        #expect(parsed.further == ["Access Level": Array(#"a"b;c"#.utf8), "X": []])
        let request = try Array(#"p"q"#.utf8).withUnsafeBytes {
            try LoginRequest.encode(login, password: $0, clientID: ClientID())
        }
        #expect(request.bytes.getString(at: request.password.lowerBound, length: request.password.count) == #"p""q"#)
    }

    @Test(
        "a further key that could be mistaken for another key is rejected",
        arguments: [
            "", " ", "a=b", "a;b", "\"a\"", "a\n", "password", "User", "USER ID", "é",
            String(repeating: "x", count: 65),
        ]
    )
    func badKeys(key: String) throws {
        #expect(throws: LoginStringError.badKey) { try LoginStringEntry(key: key, value: "") }
        #expect(throws: LoginStringError.controlCharacter(.other)) { try LoginStringEntry(key: "a", value: "\n") }
        let entries = try [LoginStringEntry(key: "a", value: ""), LoginStringEntry(key: "A", value: "")]
        #expect(throws: LoginStringError.badKey) {
            try LoginString(user: "", domain: "", schema: nil, further: entries)
        }
    }

    @Test("the request of a login service with user and password matches the vendor's client")
    func simpleRequest() {
        let values: [RemotingValue] = [.utf8String("Data"), .utf8String("Relativity")]
        let request = ServiceCatalog.simpleLogin.request(values, service: "SimpleLoginService", clientID: ClientID())
        let expected =
            "12000000 53696d706c654c6f67696e53657276696365050000004c6f67696e04000000446174610a000000"
            + "52656c61746976697479"
        let body = request.readableBytesView.dropFirst(28)
        #expect(
            body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == expected.filter { $0 != " " }
        )
    }

    @Test("the request matches the vendor's client byte for byte")
    func request() throws {
        let id = try #require(
            ClientID(wireBytes: [
                0x67, 0x45, 0x23, 0x01, 0xab, 0x89, 0xef, 0xcd, 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
            ])
        )
        let request = try Array("Relativity".utf8).withUnsafeBytes {
            let login = try LoginString(user: "Data", domain: "DASamples", schema: "PCTrade")
            return try LoginRequest.encode(login, password: $0, clientID: id)
        }
        let expected =
            "524f3130370000000000000067452301ab89efcd0123456789abcdef0c0000004c6f67696e53657276696365070000004c6f67696e45"
            + "7848000000557365722049643d2244617461223b50617373776f72643d2252656c61746976697479223b446f6d61696e3d224441536"
            + "16d706c6573223b536368656d613d225043547261646522"
        #expect(
            request.bytes.readableBytesView.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == expected
        )
        let logout = LogoutRequest.encode(clientID: id)
        #expect(logout.readableBytes == 54)
        #expect(SchemaRequest.encode(clientID: id).readableBytes == 60)
    }

    @Test(
        "no value can change another field",
        arguments: [
            #"x";Domain="other"#, #"";Domain="other";User Id=""#, #"\";Domain="other"#, "x;Domain=other", #"""#, #"" "#,
            "a=b",
            "'", "é€😀", " ",
        ]
    )
    func injection(value: String) throws {
        for field in [LoginField.user, .password, .domain, .schema] {
            let login = try LoginString(
                user: field == .user ? value : "user",
                domain: field == .domain ? value : "domain",
                schema: field == .schema ? value : "schema"
            )
            let parsed = try LoginStringParser.parse(try text(login, field == .password ? value : "secret").utf8)
            #expect(parsed.user == login.user)
            #expect(parsed.domain == login.domain)
            #expect(parsed.schema == login.schema)
            #expect(parsed.password == Array((field == .password ? value : "secret").utf8))
        }
    }

    @Test("fields survive writing and parsing", arguments: 0..<500)
    func roundTrip(seed: UInt64) throws {
        var numbers = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func value() -> String {
            let parts = ["\"", ";", "=", "a", "é", "Domain", "User Id", " ", "\\", "'"]
            return (0..<8).map { _ in
                numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return parts[Int(numbers >> 33) % parts.count]
            }.joined()
        }
        let login = try LoginString(user: value(), domain: value(), schema: value())
        let password = value()
        let parsed = try LoginStringParser.parse(try text(login, password).utf8)
        #expect(parsed.user == login.user)
        #expect(parsed.domain == login.domain)
        #expect(parsed.schema == login.schema)
        #expect(parsed.password == Array(password.utf8))
    }

    @Test(
        "control characters are rejected in every field",
        arguments: ["\0", "\r", "\n", "\t", "\u{1B}", "\u{7F}", "\u{85}"]
    )
    func controls(character: String) throws {
        #expect(throws: LoginStringError.controlCharacter(.user)) {
            try LoginString(user: "a" + character, domain: "", schema: nil)
        }
        #expect(throws: LoginStringError.controlCharacter(.domain)) {
            try LoginString(user: "", domain: character, schema: nil)
        }
        #expect(throws: LoginStringError.controlCharacter(.schema)) {
            try LoginString(user: "", domain: "", schema: character + "a")
        }
        let login = try LoginString(user: "", domain: "", schema: nil)
        #expect(throws: LoginStringError.controlCharacter(.password)) { try text(login, character) }
    }

    @Test("a password that is not UTF-8 or too long is rejected, and nothing is written")
    func badPassword() throws {
        let login = try LoginString(user: "", domain: "", schema: nil)
        var buffer = ByteBuffer()
        #expect(throws: LoginStringError.notUTF8(.password)) {
            try [0xC3, 0x28].withUnsafeBytes { try login.write(password: $0, to: &buffer) }
        }
        #expect(throws: LoginStringError.tooLong(.password)) { try text(login, String(repeating: "x", count: 4097)) }
        #expect(buffer.readableBytes == 0)
    }

    @Test("a login request stores the password once, and wiping clears it")
    func wiping() throws {
        let request = try Array("correct horse".utf8).withUnsafeBytes {
            let login = try LoginString(user: "u", domain: "d", schema: nil)
            return try LoginRequest.encode(login, password: $0, clientID: ClientID())
        }
        let capacity = request.bytes.capacity
        #expect(capacity >= request.bytes.readableBytes)
        request.wipe()
        #expect(request.bytes.readableBytesView.allSatisfy { $0 == 0 })
    }

    @Test(
        "the parser accepts the other spellings that servers accept",
        arguments: [
            "User=u;Password=p;Domain=d", #"user id=u;PASSWORD="p";domain="d""#, "UserID=u; Password=p; Domain=d;",
        ]
    )
    func spellings(text: String) throws {
        let parsed = try LoginStringParser.parse(text.utf8)
        #expect(parsed.user == "u")
        #expect(parsed.password == Array("p".utf8))
        #expect(parsed.domain == "d")
        #expect(parsed.schema == nil)
    }

    @Test("other text is rejected", arguments: ["x", "User=\"u", "User=\"u\"x", "User=u;User=v", "=;=x;y"])
    func unreadable(text: String) {
        #expect(throws: LoginStringError.unreadable) { try LoginStringParser.parse(text.utf8) }
    }
}
