// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The methods, structs and events of the Data Abstract services, as declared by the vendor (docs/wire.md,
/// "Services").
package enum ServiceCatalog {
    /// The structs of all services, with the fields of their ancestors.
    package static let structs: StructCatalog = {
        var catalog = StructCatalog()
        for declared in declaredStructs {
            let inherited = declaredStructs.first { $0.name == declared.ancestor }?.fields ?? []
            catalog.define(declared.name, inherited + declared.fields)
        }
        return catalog
    }()

    /// The structs of all services, each with its own fields as declared. An ancestor has no ancestor.
    package static let declaredStructs: [StructDeclaration] =
        [
            StructDeclaration("DataParameter", [.init("Name", .utf8String), .init("Value", .variant)]),
            StructDeclaration(tableRequest, tableRequestFields),
            StructDeclaration(
                "ColumnSorting",
                [.init("FieldName", .utf8String), .init("SortDirection", sortDirection)]
            ),
            StructDeclaration(
                "UserInfo",
                [
                    .init("Attributes", .array(of: .variant)), .init("Privileges", .array(of: .utf8String)),
                    .init("SessionID", .utf8String), .init("UserData", .binary), .init("UserID", .utf8String),
                ]
            ),
        ]
        + tableRequestHeirs.sorted { $0.key < $1.key }.map {
            StructDeclaration($0.key, ancestor: tableRequest, $0.value)
        }

    /// The enums and arrays of all services, by name.
    package static let types: [(name: String, type: RemotingType)] = [
        ("ColumnSortDirection", sortDirection), ("ScriptExceptionType", scriptExceptionType),
        ("StringArray", .array(of: .utf8String)), ("VariantArray", .array(of: .variant)),
        ("DataParameterArray", dataParameters), ("TableRequestInfoArray", .array(of: .structure(tableRequest))),
        ("ColumnSortingArray", .array(of: .structure("ColumnSorting"))),
        ("UserInfoArray", .array(of: .structure("UserInfo"))),
    ]

    private static let sortDirection = RemotingType.enumeration(names: ["Ascending", "Descending"])
    private static let scriptExceptionType = RemotingType.enumeration(
        names: ["ParserError", "RuntimeError", "Fail", "UnexpectedException", "Abort"]
    )

    /// The class name of the struct that describes a table request.
    package static let tableRequest = "TableRequestInfo"
    /// The fields of `tableRequest`. Every descendant has them too.
    package static let tableRequestFields: [NamedType] = [
        .init("IncludeSchema", .boolean), .init("MaxRecords", .integer),
        .init("Parameters", .array(of: .structure("DataParameter"))), .init("UserFilter", .utf8String),
    ]
    /// The descendants of `tableRequest`, each with its additional fields.
    package static let tableRequestHeirs: [String: [NamedType]] = [
        "TableRequestInfoV5": [
            .init("DynamicSelectFieldNames", .array(of: .utf8String)), .init("Sorting", .structure("ColumnSorting")),
            .init("WhereClause", .xml),
        ],
        "TableRequestInfoV6": [.init("Sql", .wideString)],
    ]

    /// Logs in with a login string.
    package static let loginEx = MethodSignature("LoginEx", [.init("aLoginString", .utf8String)], results: truth)
    /// Logs out.
    package static let logout = MethodSignature("Logout")
    /// Logs in with user and password.
    package static let simpleLogin = MethodSignature("Login", user, results: truth + [userInfo])
    /// Logs in with user, password and a database connection.
    package static let multiDbLogin = MethodSignature(
        "Login",
        user + [.init("aConnectionName", .utf8String)],
        results: truth + [userInfo]
    )
    /// Returns the database connections of a MultiDb service.
    package static let connectionNames = MethodSignature(
        "GetConnectionNames",
        results: [.init("Result", .array(of: .utf8String))]
    )
    /// Returns the connection that is used if a login does not name one.
    package static let defaultConnectionName = MethodSignature("GetDefaultConnectionName", results: text)
    /// Returns the schema as XML.
    package static let schema = MethodSignature("GetSchema", [.init("aFilter", .utf8String)], results: text)

    /// Returns the possible signatures of a method name: more than one if several services use the name. Names are
    /// compared ignoring case.
    package static func signatures(of method: String) -> [MethodSignature] {
        let name = method.lowercased()
        return all.filter { $0.name.lowercased() == name }
    }

    /// Returns the parameters of an event; nil if no Data Abstract service raises it. Names are compared ignoring
    /// case.
    package static func parameters(ofEvent name: String, sink: String) -> [NamedType]? {
        guard sink.lowercased() == "datachangenotification", name.lowercased() == "ondatatablechanged" else {
            return nil
        }
        return [table, .init("aDelta", .binary)]
    }

    /// Returns the fields of an exception in each order that a server may write: as declared, or sorted by name. The
    /// vendor's own sources disagree about the order. Empty for a class without fields.
    package static func fields(ofException className: String) -> [[NamedType]] {
        guard className == "ScriptException" else { return [] }
        let declared: [NamedType] = [
            .init("Line", .integer), .init("Column", .integer), .init("Event", .utf8String),
            .init("InnerStackTrace", .utf8String), .init("Type", scriptExceptionType),
        ]
        return [declared, declared.sorted { $0.name < $1.name }]
    }

    private static let truth = [NamedType("Result", .boolean)]
    private static let text = [NamedType("Result", .utf8String)]
    private static let number = [NamedType("Result", .integer)]
    private static let bytes = [NamedType("Result", .binary)]
    private static let userInfo = NamedType("aUserInfo", .structure("UserInfo"))
    private static let user = [NamedType("aUserID", .utf8String), NamedType("aPassword", .utf8String)]
    private static let tables = NamedType("aTableNameArray", .array(of: .utf8String))
    private static let commandName = NamedType("aCommandName", .utf8String)
    private static let sql = NamedType("aSQLText", .utf8String)
    private static let dynamicWhere = NamedType("aDynamicWhereXML", .wideString)
    private static let table = NamedType("aTableName", .utf8String)
    private static let dataParameters = RemotingType.array(of: .structure("DataParameter"))
    private static let selection = [sql, NamedType("aIncludeSchema", .boolean), NamedType("aMaxRecords", .integer)]

    /// Returns rows of tables as a stream.
    package static let data = MethodSignature(
        "GetData",
        [tables, .init("aTableRequestInfoArray", .array(of: .structure(tableRequest)))],
        results: bytes
    )
    /// Applies deltas.
    package static let update = MethodSignature("UpdateData", [.init("aDelta", .binary)], results: bytes)
    /// Executes a command.
    package static let command = MethodSignature(
        "ExecuteCommand",
        [commandName, .init("aParameterArray", dataParameters)],
        results: number
    )
    /// Executes a command and returns its output parameters.
    package static let commandEx = MethodSignature(
        "ExecuteCommandEx",
        [commandName, .init("aInputParameters", dataParameters)],
        results: number + [.init("aOutputParameters", dataParameters)]
    )
    /// Returns the schema of some tables as XML.
    package static let tableSchema = MethodSignature("GetTableSchema", [tables], results: text)
    /// Returns the schema of some commands as XML.
    package static let commandSchema = MethodSignature(
        "GetCommandSchema",
        [.init("aCommandNameArray", .array(of: .utf8String))],
        results: text
    )
    /// Returns the rows of an SQL statement as a stream.
    package static let sqlData = MethodSignature("SQLGetData", selection, results: bytes)
    /// The same with a where clause.
    package static let sqlDataEx = MethodSignature("SQLGetDataEx", selection + [dynamicWhere], results: bytes)
    /// Executes an SQL statement.
    package static let sqlCommand = MethodSignature("SQLExecuteCommand", [sql], results: number)
    /// The same with a where clause.
    package static let sqlCommandEx = MethodSignature("SQLExecuteCommandEx", [sql, dynamicWhere], results: number)
    /// Returns the scripts of tables as XML.
    package static let scripts = MethodSignature(
        "GetDatasetScripts",
        [.init("DatasetNames", .utf8String)],
        results: text
    )

    /// Has the server raise an event when a table changes.
    package static let register = MethodSignature("RegisterForDataChangeNotification", [table])
    /// Ends the events of a table.
    package static let unregister = MethodSignature("UnregisterForDataChangeNotification", [table])

    /// The methods that change no data, so that a call may be sent again. A statement in SQL may change data.
    package static let repeatable: Set = [data, schema, tableSchema, commandSchema, scripts, register, unregister]

    /// The services. Those of servers are descendants of them.
    package static let services = [
        ServiceDeclaration("BaseLoginService", [loginEx, logout]),
        ServiceDeclaration("SimpleLoginService", ancestor: "BaseLoginService", [simpleLogin]),
        ServiceDeclaration("MultiDbLoginService", ancestor: "BaseLoginService", [multiDbLogin]),
        ServiceDeclaration(
            "MultiDbLoginServiceV5",
            ancestor: "MultiDbLoginService",
            [connectionNames, defaultConnectionName]
        ),
        ServiceDeclaration(
            "DataAbstractService",
            [
                schema, data, update, command, commandEx, tableSchema, commandSchema, sqlData, sqlDataEx, sqlCommand,
                sqlCommandEx, scripts, register, unregister,
            ]
        ),
    ]

    private static let all = services.flatMap(\.methods)
}

/// A service as the vendor declares it.
package struct ServiceDeclaration: Sendable {
    /// The name.
    package let name: String
    /// The service whose methods it also answers; nil if there is none.
    package let ancestor: String?
    /// Its own methods.
    package let methods: [MethodSignature]

    init(_ name: String, ancestor: String? = nil, _ methods: [MethodSignature]) {
        self.name = name
        self.ancestor = ancestor
        self.methods = methods
    }
}

/// A struct as the vendor declares it.
package struct StructDeclaration: Sendable {
    /// The name of the class.
    package let name: String
    /// The struct whose fields it also has; nil if there is none.
    package let ancestor: String?
    /// Its own fields.
    package let fields: [NamedType]

    init(_ name: String, ancestor: String? = nil, _ fields: [NamedType]) {
        self.name = name
        self.ancestor = ancestor
        self.fields = fields
    }
}

/// The parameters and results of a method, in the order of its declaration.
package struct MethodSignature: Hashable, Sendable {
    /// The name of the method, as declared.
    package let name: String
    /// The In and InOut parameters.
    package let parameters: [NamedType]
    /// The result, named `Result`, followed by the InOut and Out parameters.
    package let results: [NamedType]

    /// Creates a signature.
    package init(_ name: String, _ parameters: [NamedType] = [], results: [NamedType] = []) {
        self.name = name
        self.parameters = parameters
        self.results = results
    }

    /// Encodes a call of the method.
    ///
    /// - Parameter values: one value for each parameter, in order.
    package func request(_ values: [RemotingValue] = [], service: String, clientID: ClientID) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: clientID, service: service, method: name)
        for value in values { writer.write(value) }
        return writer.buffer
    }

    /// Decodes the results from a reply.
    ///
    /// - Throws: `RemotingError`; `malformed` also for the reply to a call of another method.
    package func results(
        of reply: ByteBuffer,
        _ structs: StructCatalog = ServiceCatalog.structs,
        limits: WireLimits = .standard
    ) throws(RemotingError) -> [RemotingValue] {
        var reader = try ReplyMessage.values(of: reply, to: name, limits: limits)
        var values: [RemotingValue] = []
        for result in results { values.append(try reader.readValue(result.type, structs)) }
        return values
    }
}
