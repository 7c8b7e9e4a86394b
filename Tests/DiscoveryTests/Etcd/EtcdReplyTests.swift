// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform
import TestSupport
import Testing

@testable import Discovery

@Suite("Replies of etcd's gateway")
struct EtcdReplyTests {
    private let limits = EtcdLimits()
    private let range = EtcdRange(below: "/r")

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("a page has numbers as strings, bytes in Base64, and omits zero values")
    func page() throws {
        let text = """
            {"header":{"cluster_id":"324","member_id":"3","revision":"3","raft_term":"2"},\
            "kvs":[{"key":"L3Ivb25l","mod_revision":"2","value":"eA=="},{"key":"L3IvdHdv"}],"more":true,"count":"2"}
            """
        let page = try EtcdReply.page(bytes(text), of: range, limits: limits)
        #expect(page.position == EtcdPosition(cluster: "324", revision: 3))
        #expect(
            page.pairs == [
                EtcdPair(key: bytes("/r/one"), value: bytes("x")), EtcdPair(key: bytes("/r/two"), value: []),
            ]
        )
        #expect(page.hasMore)
        #expect(try EtcdReply.page(bytes("{\"header\":{}}"), of: range, limits: limits).pairs.isEmpty)
    }

    @Test("a page with more entries after none, a repeated key, or a key out of range is malformed")
    func endless() throws {
        func page(_ key: String?, after last: String? = nil) throws -> EtcdPage {
            let pairs = key.map { "{\"key\":\"\(Base64.encode(bytes($0)))\"}" } ?? ""
            return try EtcdReply.page(
                bytes("{\"header\":{},\"kvs\":[\(pairs)],\"more\":true}"),
                of: last.map { range.after(bytes($0)) } ?? range,
                limits: limits
            )
        }
        #expect(try page("/r/b", after: "/r/a").hasMore)
        for (key, last) in [(nil, nil), ("/r/a", "/r/a"), ("/r/a", "/r/b"), ("/q", nil), ("/r0", "/r/a")]
            as [(String?, String?)]
        {
            #expect(throws: EtcdError.malformed) { try page(key, after: last) }
        }
    }

    @Test("watch responses are creation, changes, the end, and compaction")
    func news() throws {
        let created = try EtcdReply.news(
            bytes("{\"result\":{\"header\":{\"revision\":\"3\"},\"created\":true}}"),
            limits: limits
        )
        #expect(created == EtcdNews(position: EtcdPosition(cluster: "", revision: 3), isCreated: true))
        let text = """
            {"result":{"header":{"revision":"4"},"fragment":true,"events":[{"type":"DELETE","kv":{"key":"YQ=="}},\
            {"kv":{"key":"Yg==","mod_revision":"2","value":"Yw=="}}]}}
            """
        let changes = try EtcdReply.news(bytes(text), limits: limits)
        #expect(changes.lastRevision == 2)
        #expect(changes.isFragment)
        #expect(changes.changes == [.deleted(key: [0x61]), .put(EtcdPair(key: [0x62], value: [0x63]))])
        let end = bytes("{\"result\":{\"header\":{},\"canceled\":true,\"compact_revision\":\"3\"}}")
        #expect(try EtcdReply.news(end, limits: limits).compacted == 3)
        #expect(try EtcdReply.news(end, limits: limits).end == "")
        let error = bytes("{\"error\":{\"grpc_code\":14,\"http_code\":503,\"message\":\"etcdserver: no leader\"}}")
        #expect(throws: EtcdError.refused(code: 14, message: "etcdserver: no leader")) {
            try EtcdReply.news(error, limits: limits)
        }
    }

    @Test(
        "a reply that is not from etcd is malformed",
        arguments: [
            "", "x", "[]", "{}", "{\"header\":7}", "{\"header\":{\"revision\":7}}", "{\"header\":{},\"kvs\":7}",
            "{\"header\":{},\"kvs\":[7]}", "{\"header\":{},\"kvs\":[{}]}", "{\"header\":{},\"kvs\":[{\"key\":\"?\"}]}",
            "{\"header\":{},\"kvs\":[{\"key\":\"YQ==\",\"value\":\"YQ\"}]}", "{\"header\":{},\"more\":\"x\"}",
            String(repeating: "[", count: 100_000), "<html>",
        ]
    )
    func malformed(text: String) {
        #expect(throws: EtcdError.malformed) { try EtcdReply.page(bytes(text), of: range, limits: limits) }
        #expect(throws: EtcdError.malformed) { try EtcdReply.news(bytes(text), limits: limits) }
    }

    @Test(
        "an invalid watch response is malformed",
        arguments: [
            "7", "{}", "{\"header\":{},\"events\":7}", "{\"header\":{},\"events\":[{}]}",
            "{\"header\":{},\"created\":1}",
        ]
    )
    func noNews(text: String) {
        #expect(throws: EtcdError.malformed) { try EtcdReply.news(bytes("{\"result\":\(text)}"), limits: limits) }
    }

    @Test(
        "a revision that is not a number, is negative or has no successor is malformed",
        arguments: ["", "x", "-1", "9223372036854775807", "9223372036854775808"]
    )
    func badRevision(text: String) {
        let header = "{\"header\":{\"revision\":\"\(text)\"}}"
        #expect(throws: EtcdError.malformed) { try EtcdReply.page(bytes(header), of: range, limits: limits) }
        #expect(throws: EtcdError.malformed) { try EtcdReply.news(bytes("{\"result\":\(header)}"), limits: limits) }
        let end = "{\"result\":{\"header\":{},\"canceled\":true,\"compact_revision\":\"\(text)\"}}"
        #expect(throws: EtcdError.malformed) { try EtcdReply.news(bytes(end), limits: limits) }
    }

    @Test("errors are parsed in each form, and a token that could end a header is rejected")
    func faults() throws {
        let fault = bytes("{\"error\":\"e\",\"message\":\"m\",\"code\":16}")
        #expect(EtcdReply.fault(fault, limits: limits) == .refused(code: 16, message: "m"))
        #expect(EtcdReply.fault(bytes("404 page not found"), limits: limits) == .malformed)
        #expect(throws: Never.self) { try EtcdReply.token(bytes("{\"token\":\"abc.1\"}"), limits: limits) }
        for token in ["", "a b", "a\\r\\nX: y", "ä"] {
            #expect(throws: EtcdError.malformed) {
                try EtcdReply.token(bytes("{\"token\":\"\(token)\"}"), limits: limits)
            }
        }
        let hostile = EtcdError.refused(code: 2, message: "\u{1B}[2J\u{202E}")
        let list = EtcdList(name: "p", servers: [try ServerURL(completing: "http://10.0.0.1:2379")], prefix: "/p")
        let servers = ["http://10.0.0.1:2379"]
        #expect(
            hostile.fault(of: list) == SourceFault(code: .etcdError, servers: servers, detail: "\\u{1B}[2J\\u{202E}")
        )
    }

    @Test("lines are split across any chunks, and their length is limited")
    func lines() throws {
        let text = bytes("one\n\ntwo\nthree\n")
        for size in 1...text.count {
            var splitter = LineSplitter(limit: 5)
            var lines: [[UInt8]] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += try splitter.append(text[start..<min(start + size, text.count)])
            }
            #expect(lines == [bytes("one"), bytes("two"), bytes("three")])
        }
        var splitter = LineSplitter(limit: 5)
        _ = try splitter.append(bytes("12345"))
        #expect(throws: EtcdError.tooLarge(limit: 5)) { try splitter.append(bytes("6")) }
        var whole = LineSplitter(limit: 5)
        #expect(throws: EtcdError.tooLarge(limit: 5)) { try whole.append(bytes("123456\n")) }
    }

    @Test("an entry has a URL in any form that a user may type, and TXT up to the size of a packet")
    func entries() throws {
        let entry = try ListEntry(
            parsing: bytes("{\"url\":\"server.example.org\",\"txt\":[\"a\"],\"x\":1}"),
            limits: limits
        )
        #expect(entry.url.description == "http://server.example.org:7099/bin")
        #expect(entry.txt == [bytes("a")])
        let strings = Array(repeating: "\"\(String(repeating: "x", count: 255))\"", count: 8).joined(separator: ",")
        let long = try ListEntry(parsing: bytes("{\"url\":\"10.1.2.3\",\"txt\":[\(strings)]}"), limits: limits)
        #expect(long.txt.count == 5)
        let tooLong = String(repeating: "x", count: 256)
        #expect(throws: ListEntry.Fault.badText) {
            try ListEntry(parsing: bytes("{\"url\":\"10.1.2.3\",\"txt\":[\"\(tooLong)\"]}"), limits: limits)
        }
        #expect(throws: ListEntry.Fault.tooLarge(limit: 4_096)) {
            try ListEntry(parsing: [UInt8](repeating: 0x20, count: 4_097), limits: limits)
        }
        #expect(throws: ListEntry.Fault.badURL(.userInfo)) {
            try ListEntry(parsing: bytes("{\"url\":\"http://a:b@10.1.2.3\"}"), limits: limits)
        }
    }

    @Test("a password of any bytes becomes JSON without a String")
    func password() throws {
        let password: [UInt8] = [0x22, 0x5C, 1, 0x1F, 0x0A, 0x41, 0xC3, 0xA4]
        let json = password.withUnsafeBytes { AuthenticationBody.json(user: "b\"ob", password: $0) }
        let expected = #"{"name":"b\"ob","password":"\"\\\u0001\u001f\u000aAä"}"#
        #expect(String(buffer: json) == expected)
    }

    @Test("host names are looked up one at a time, and a failed look-up keeps the last result")
    func hosts() throws {
        let address = try #require(IPAddress("10.1.2.3"))
        var book = HostBook()
        book.need(["a", "b"])
        #expect(!book.isComplete)
        #expect(book.next() == "a")
        #expect(book.next() == nil)
        _ = book.found([address], for: "a")
        #expect(book.next() == "b")
        book.need(["a"])
        _ = book.found([address], for: "b")
        #expect(book.isComplete)
        #expect(book.addresses(of: "b").isEmpty)
        book.forgetAge()
        #expect(book.next() == "a")
        _ = book.found(nil, for: "a")
        #expect(book.addresses(of: "a") == [address])
    }

    @Test("a look-up causes an event if the addresses change, or if it was the last")
    func newsOfHosts() throws {
        let addresses = try ["10.1.2.3", "10.1.2.4"].map { try #require(IPAddress($0)) }
        var book = HostBook()
        book.need(["a", "b", "c"])
        var news: [Bool] = []
        for round in [[addresses, [], []], [addresses.reversed(), addresses, nil]] as [[[IPAddress]?]] {
            for list in round {
                let next = book.next()
                let name = try #require(next)
                news.append(book.found(list, for: name))
            }
            book.forgetAge()
        }
        #expect(news == [true, false, true, false, true, true])
    }
}
