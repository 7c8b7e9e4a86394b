// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import NIOCore
import Registry
import Remoting
import Testing

@testable import Broker

@Suite struct AccessTests {
    private static let calls: [(name: String, action: AccessAction)] = [
        ("read", .call(ToolCall(service: "DataService", method: "GetSchema", isLogin: false, isReading: true))),
        ("write", .call(ToolCall(service: "DataService", method: "UpdateData", isLogin: false, isReading: false))),
        ("sql", .call(ToolCall(service: "DataService", method: "GetData", isLogin: false, isReading: false))),
        ("other", .call(ToolCall(service: "OtherService", method: "GetSchema", isLogin: false, isReading: true))),
        ("login", .call(ToolCall(service: "LoginService", method: "LoginEx", isLogin: true, isReading: false))),
        ("poll", .poll), ("describe", .describe),
    ]

    /// For each call the results with no constraint, read-only, for grants only, and both. `.` allowed, `S` the wrong
    /// socket, `N` not granted, `R` reading only, `G` grants only, `P` needs its own session, `D` calls only, `T` expired.
    private static let table = """
        main    read SSSS  write SSSS  sql SSSS  other SSSS  login SSSS  poll SSSS  describe SSSS
        second  read SSSS  write SSSS  sql SSSS  other SSSS  login SSSS  poll SSSS  describe SSSS
        shared  read ..GG  write .RGG  sql .RGG  other ..GG  login ..GG  poll PPPP  describe ..GG
        own     read ..GG  write .RGG  sql .RGG  other ..GG  login ..GG  poll ..GG  describe ..GG
        reader  read ....  write NNNN  sql NNNN  other NNNN  login ....  poll PPPP  describe DDDD
        writer  read NNNN  write .R.R  sql .R.R  other NNNN  login ....  poll PPPP  describe DDDD
        over    read TTTT  write TTTT  sql TTTT  other TTTT  login TTTT  poll TTTT  describe TTTT
        """

    private static func routes() throws -> [String: AccessRoute] {
        let reader = try CallFilter(services: [], methods: [], isReadOnly: true, at: .relativity)
        let writer = try CallFilter(
            services: ["dataservice"],
            methods: ["UPDATEDATA", "getdata"],
            isReadOnly: false,
            at: .relativity
        )
        return [
            "main": .main, "second": .adapters, "shared": .adapter(sharesSession: true),
            "own": .adapter(sharesSession: false),
            "reader": .grant(reader, isOver: false), "writer": .grant(writer, isOver: false),
            "over": .grant(writer, isOver: true),
        ]
    }

    private static func letter(_ refusal: AccessRefusal?) -> Character {
        switch refusal {
        case nil: "."
        case .wrongSocket: "S"
        case .notGranted: "N"
        case .readOnly: "R"
        case .otherDatabase: "O"
        case .grantsOnly: "G"
        case .pollNeedsOwnSession: "P"
        case .descriptionNotGranted: "D"
        case .notAgreed: "A"
        case .grantIsOver: "T"
        case .otherUser: "U"
        case .vaultNotOpen: "V"
        }
    }

    @Test("each call is allowed or refused as the table specifies, for every route, constraint and vault state")
    func cells() throws {
        let routes = try Self.routes()
        var count = 0
        for line in Self.table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let route = try #require(routes[words[0]])
            #expect(words.count == 1 + 2 * Self.calls.count)
            for (index, call) in Self.calls.enumerated() {
                #expect(words[1 + 2 * index] == call.name)
                for (number, expected) in words[2 + 2 * index].enumerated() {
                    var access = Access(peer: nil, user: 7, route: route, action: call.action, vault: .absent)
                    access.constraints.isReadOnly = number & 1 != 0
                    access.constraints.isForGrantsOnly = number & 2 != 0
                    for vault in VaultState.allCases {
                        access.vault = vault
                        access.needsVault = false
                        #expect(Self.letter(access.refusal) == expected, "\(words[0]) \(call.name) \(number) \(vault)")
                        // An allowed call needs the vault if its login is in the vault.
                        access.needsVault = true
                        let closed: Character = expected == "." && vault != .unlocked ? "V" : expected
                        #expect(Self.letter(access.refusal) == closed, "\(words[0]) \(call.name) \(number) \(vault)")
                        count += 2
                    }
                    access.peer = 8
                    #expect(access.refusal == .otherUser)
                }
                // A database that may be another one can be read only.
                let cells = Array(words[2 + 2 * index])
                var other = Access(peer: nil, user: 7, route: route, action: call.action, vault: .unlocked)
                other.isOtherDatabase = true
                #expect(Self.letter(other.refusal) == (cells[1] == "R" ? "O" : cells[0]), "\(words[0]) \(call.name)")
            }
        }
        print("\(count) cells of \(routes.count) routes")
    }

    @Test("a server with confirmation asks the user for each use that would be allowed, and not for a look")
    func agreement() {
        for scope in MethodScope.allCases {
            var access = Access(peer: 7, user: 7, route: .main, action: .method(scope), vault: .unlocked)
            access.constraints.isConfirmed = true
            #expect(access.refusal == (scope == .look ? nil : .notAgreed), "\(scope)")
            access.isAgreed = true
            #expect(access.refusal == nil, "\(scope)")
            access.isAgreed = false
            access.constraints.isForGrantsOnly = true
            #expect(access.refusal == (scope == .use ? .grantsOnly : scope == .look ? nil : .notAgreed), "\(scope)")
        }
    }

    @Test("a process of the same user may connect, except to an expired grant")
    func connecting() throws {
        for (name, route) in try Self.routes() {
            for vault in VaultState.allCases {
                var access = Access(peer: 7, user: 7, route: route, action: .connect, vault: vault)
                #expect(access.refusal == (name == "over" ? .grantIsOver : nil))
                access.peer = 0
                #expect(access.refusal == .otherUser)
            }
        }
    }

    @Test("a filter needs methods or must be read-only, accepts plain names only, and compares like servers")
    func filters() throws {
        #expect(throws: BrokerError.self) {
            try CallFilter(services: ["S"], methods: [], isReadOnly: false, at: .relativity)
        }
        for name in ["", "a b", "é", "a\0", String(repeating: "x", count: 129)] {
            #expect(throws: BrokerError.self) {
                try CallFilter(services: [name], methods: ["M"], isReadOnly: false, at: .relativity)
            }
            #expect(throws: BrokerError.self) {
                try CallFilter(services: [], methods: [name], isReadOnly: false, at: .relativity)
            }
        }
        for (count, isAccepted) in [(CallFilter.mostNames, true), (CallFilter.mostNames + 1, false)] {
            let names = (0..<count).map { "Name\($0)" }
            for (services, methods) in [(names, ["M"]), (["S"], names)] {
                let filter = try? CallFilter(services: services, methods: methods, isReadOnly: false, at: .relativity)
                #expect((filter != nil) == isAccepted, "\(services.count) and \(methods.count)")
            }
        }
        let filter = try CallFilter(services: ["Kiosk"], methods: ["Ask"], isReadOnly: false, at: .relativity)
        func allows(_ service: String, _ method: String) -> Bool {
            filter.allows(ToolCall(service: service, method: method, isLogin: false, isReading: false))
        }
        #expect(allows("Kiosk", "Ask") && allows("kIOSK", "ASK"))
        // In Unicode the Kelvin sign is a K in lower case, and a soft hyphen is ignored. The filter treats neither so.
        for (service, method) in [
            ("\u{212A}iosk", "Ask"), ("Kiosk", "As\u{212A}"), ("Kiosk\u{AD}", "Ask"), ("Kiosk ", "Ask"),
        ]
            + [("Kiosk", "Ask2"), ("Kios", "Ask"), ("", ""), ("Ask", "Kiosk")]
        {
            #expect(!allows(service, method), "\(service).\(method)")
        }
    }
}
