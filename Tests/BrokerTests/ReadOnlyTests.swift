// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import JSON
import NIOCore
import Registry
import Remoting
import Testing

@testable import Broker

/// Every form of every call at a server that is read-only, and at a grant that permits reading only.
@Suite struct ReadOnlyTests {
    private static let write = "DELETE FROM Deps"
    private static let clause = "<query><where><field>DepId</field></where></query>"

    /// A method with parameters, and whether it only reads.
    private struct Call {
        let method: String
        var values: [RemotingValue] = []
        var isReading = false
        /// Whether grants for reading have it too.
        var isGranted = true
    }

    private static let calls: [Call] = {
        let (deps, names): (RemotingValue, RemotingValue) = (.utf8String("Deps"), .array([.utf8String("Deps")]))
        let five = info(five: NamedValue("WhereClause", .xml(clause)))
        return [
            Call(method: "GetSchema", values: [.utf8String("")], isReading: true),
            Call(method: "GetTableSchema", values: [names], isReading: true),
            Call(method: "GetCommandSchema", values: [names], isReading: true),
            Call(method: "GetData", values: [names, .array([info()])], isReading: true),
            Call(method: "GetData", values: [names, .array([five])], isReading: true),
            Call(method: "GetData", values: [names, .array(nil)], isReading: true),
            Call(method: "RegisterForDataChangeNotification", values: [deps], isReading: true, isGranted: false),
            Call(method: "UnregisterForDataChangeNotification", values: [deps], isReading: true, isGranted: false),

            Call(method: "UpdateData", values: [.binary(ByteBuffer(string: "DABIN200"))]),
            Call(method: "UpdateData", values: [.binary(nil)]),
            Call(method: "ExecuteCommand", values: [deps, .array([])]),
            Call(method: "ExecuteCommandEx", values: [deps, .array([])]),
            Call(method: "SQLExecuteCommand", values: [.utf8String(write)]),
            Call(method: "SQLExecuteCommandEx", values: [.utf8String(write), .wideString("")]),
            Call(method: "SQLGetData", values: [.utf8String(write), .boolean(true), .integer(-1)]),
            Call(method: "SQLGetDataEx", values: [.utf8String(write), .boolean(true), .integer(-1), .wideString("")]),
            Call(method: "GetData", values: [names, .array([info(filter: "1=1; \(write)")])]),
            Call(method: "GetData", values: [names, .array([info(sql: write)])]),
            Call(method: "GetData", values: [names, .array([info(), five, info(sql: "")])], isReading: true),
            Call(method: "GetData", values: [names, .array([info(), info(sql: write)])]),
            Call(method: "GetData", values: [names, .array([info(filter: " ")])]),
            Call(method: "GetData", values: [names, .array([info(filter: "1=1", sql: "")])]),
            Call(
                method: "GetData",
                values: [names, .array([info(filter: "1=1", five: .init("WhereClause", .xml("")))])]
            ),
            Call(method: "GetData", values: [names, .array([info()]), .boolean(false)]),
            Call(method: "GetData", values: [names]), Call(method: "GetData"), Call(method: "GetSchemas"),
            Call(method: ""),
            Call(method: "SimpleUpdateData", values: [.binary(nil)]),
            Call(method: "GetData\0", values: [names, .array([info()])]),
            Call(method: " GetSchema", values: [.utf8String("")]),
            Call(method: "GetSchema.UpdateData", values: [.binary(nil)]),
        ]
    }()

    private static func info(filter: String = "", sql: String? = nil, five: NamedValue? = nil) -> RemotingValue {
        var fields: [NamedValue] = [
            .init("IncludeSchema", .boolean(true)), .init("MaxRecords", .integer(-1)), .init("Parameters", .array([])),
            .init("UserFilter", .utf8String(filter)),
        ]
        if let sql { fields.append(.init("Sql", .wideString(sql))) }
        guard let five else {
            return .structure(RemotingStruct("TableRequestInfo" + (sql == nil ? "" : "V6"), fields))
        }
        var own = [
            NamedValue("DynamicSelectFieldNames", .array([])),
            NamedValue("Sorting", .structure(sorting(by: ""))), NamedValue("WhereClause", .xml("")),
        ]
        own = own.map { $0.name == five.name ? five : $0 }
        return .structure(RemotingStruct("TableRequestInfoV5", fields + own))
    }

    private static func sorting(by field: String) -> RemotingStruct {
        RemotingStruct(
            "ColumnSorting",
            [.init("FieldName", .utf8String(field)), .init("SortDirection", .enumeration(0))]
        )
    }

    private static func message(_ call: Call, _ method: String, service: String = "DataService") -> BinMessageWriter {
        var writer = RequestMessage.writer(clientID: ClientID(), service: service, method: method)
        for value in call.values { writer.write(value) }
        return writer
    }

    private static func rules(_ route: AccessRoute) -> AdapterRules {
        var rules = AdapterRules(loginService: "LoginService", login: nil, route: route)
        if case .adapter = route { rules.constraints.isReadOnly = true }
        return rules
    }

    @Test("a read-only server and a grant for reading pass what reads, and refuse the rest, in each form of a message")
    func forms() throws {
        let grant = try CallFilter(services: [], methods: [], isReadOnly: true, at: .relativity)
        let routes: [AccessRoute] = [
            .adapter(sharesSession: true), .adapter(sharesSession: false), .grant(grant, isOver: false),
        ]
        var count = 0
        for call in Self.calls {
            let mixed = String(call.method.enumerated().map { $0 % 2 == 0 ? Character($1.lowercased()) : $1 })
            for method in [call.method, call.method.lowercased(), call.method.uppercased(), mixed] {
                for service in ["DataService", "dataSERVICE"] {
                    let plain = Self.message(call, method, service: service).buffer
                    let packed = try BinMessage(decoding: plain).encoded(compressingFrom: 1, level: 9)
                    for bytes in [plain, packed] {
                        for route in routes {
                            var isReading = call.isReading
                            if case .grant = route { isReading = isReading && call.isGranted }
                            let passes = (try? ToolRequest(bytes, Self.rules(route))) != nil
                            #expect(passes == isReading, "\(service).\(method) \(route)")
                            count += 1
                        }
                    }
                }
            }
        }
        #expect(count == Self.calls.count * 48)
    }

    @Test("JSON is refused in any form, because only BinMessages are judged")
    func json() throws {
        for method in ["DataService.UpdateData", "dataservice.GETSCHEMA", "DataService.SQLExecuteCommand"] {
            let text: JSONObject = [
                "id": .string(ClientID().revealedText()), "method": .string(method), "version": "1.1",
                "params": ["aSQLText": .string(Self.write)],
            ]
            for start in ["", " \r\n\t", "\u{FEFF}", "[", String(repeating: " ", count: 70)] {
                #expect(throws: RemotingError.self, "\(method)") {
                    try ToolRequest(ByteBuffer(string: start + text.text), Self.rules(.adapter(sharesSession: true)))
                }
            }
        }
    }

    @Test("a name that could end the server's statement is refused wherever a request has names")
    func names() throws {
        let tables = RemotingValue.array([.utf8String("Deps")])
        func isReading(_ field: NamedValue) throws -> Bool {
            let call = Call(method: "GetData", values: [tables, .array([Self.info(five: field)])])
            return ToolCall(try RequestMessage(decoding: Self.message(call, "GetData").buffer), isLogin: false)
                .isReading
        }
        func clause(_ inner: String) -> NamedValue {
            NamedValue("WhereClause", .xml("<query><where>\(inner)</where></query>"))
        }
        let forms: [(String) -> NamedValue] = [
            { NamedValue("Sorting", .structure(Self.sorting(by: $0))) },
            { clause("<field>\($0)</field>") },
            { clause("<field tablename=\"\($0)\">a</field>") },
            { clause("<macro>\($0)</macro>") },
            { clause("<parameter type=\"String\">\($0)</parameter>") },
            { clause("<constant type=\"\($0)\">1</constant>") },
            { clause("<unaryoperation operator=\"\($0)\"><null /></unaryoperation>") },
            { clause("<binaryoperation operator=\"\($0)\"><null /><list><null /></list></binaryoperation>") },
            { clause("<between><null /><null /><field>\($0)</field></between>") },
        ]
        for form in forms {
            for name in ["DepId", "Größe", "Delete", "Deps.DepId", "Order Date"] {
                #expect(try isReading(form(name)), "\(name)")
            }
            for name in [
                "DepId; \(Self.write)", "DepId DELETE Deps", "DepId\u{A0}delete\u{A0}Deps", "DepId-- ", "f(1)", "a'b",
                "a/**/b", "DepId.EXEC.x", "a\nupdate b", "\u{2019} x",
            ] {
                #expect(try !isReading(form(name)), "\(name)")
            }
        }
        // A value is bound, or quoted by the server.
        #expect(try isReading(clause("<constant type=\"String\">x'; \(Self.write)</constant>")))
        for broken in ["<query/>", "<query><where><sql>x</sql></where></query>", "x", "<query><where/></query>"] {
            #expect(try !isReading(NamedValue("WhereClause", .xml(broken))), "\(broken)")
        }
    }

    @Test("a name is plain only if each of its scalars is")
    func plainNames() {
        for name in ["Deps", "", "dbo.Order Details", "#t", "Größe", "Gro\u{0308}ße", "数量", "क्षेत्र", "a_1$", "drop"] {
            #expect(SelectedName.isPlain(name), "\(name)")
        }
        // U+0D4E and U+0600 join the next scalar to one Character.
        let commands = [
            "a; b", "a\u{0D4E};drop table t", "a\u{0D4E}'", "a\u{0600}(", "a\u{200D};", "a\u{0D4E} drop", "a\n", "a\"b",
        ]
        for name in commands + ["x DROP y", "x.drop y", "a\0"] { #expect(!SelectedName.isPlain(name), "\(name)") }
    }
}
