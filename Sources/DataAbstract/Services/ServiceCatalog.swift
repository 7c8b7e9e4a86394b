// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// The methods and structs of the Data Abstract services, as far as they are known (docs/wire.md, "Services").
///
/// Whether a string is an AnsiString or a Utf8String on a server is not known for most of them.
package enum ServiceCatalog {
    package static let structs: StructCatalog = {
        let request: [NamedType] = [
            .init("IncludeSchema", .boolean), .init("MaxRecords", .integer),
            .init("Parameters", .array(of: .structure("DataParameter"))), .init("UserFilter", .utf8String),
        ]
        var catalog = StructCatalog()
        catalog.define("DataParameter", [.init("Name", .utf8String), .init("Value", .variant)])
        catalog.define("TableRequestInfo", request)
        catalog.define(
            "TableRequestInfoV5",
            request + [
                .init("DynamicSelectFieldNames", .array(of: .utf8String)),
                .init("Sorting", .structure("ColumnSorting")),
                .init("WhereClause", .xml),
            ]
        )
        catalog.define("TableRequestInfoV6", request + [.init("Sql", .utf8String)])
        catalog.define(
            "ColumnSorting",
            [
                .init("FieldName", .utf8String),
                .init("SortDirection", .enumeration(names: ["Ascending", "Descending"])),
            ]
        )
        catalog.define(
            "UserInfo",
            [
                .init("Attributes", .array(of: .variant)), .init("Privileges", .array(of: .utf8String)),
                .init("SessionID", .utf8String), .init("UserData", .variant), .init("UserID", .utf8String),
            ]
        )
        return catalog
    }()

    package static let loginEx = MethodSignature("LoginEx", [.init("aLoginString", .ansiString)], results: truth)
    package static let logout = MethodSignature("Logout")
    package static let simpleLogin = MethodSignature("Login", user, results: truth + [userInfo])
    package static let multiDbLogin = MethodSignature(
        "Login",
        user + [.init("aConnectionName", .utf8String)],
        results: truth + [userInfo]
    )
    package static let connectionNames = MethodSignature(
        "GetConnectionNames",
        results: [.init("Result", .array(of: .utf8String))]
    )
    package static let defaultConnectionName = MethodSignature("GetDefaultConnectionName", results: text)
    package static let schema = MethodSignature("GetSchema", [.init("aFilter", .utf8String)], results: text)

    /// What a method of this name may look like; more than one for a name that several services use. Names are compared
    /// without case.
    package static func signatures(of method: String) -> [MethodSignature] {
        let name = method.lowercased()
        return all.filter { $0.name.lowercased() == name }
    }

    private static let truth = [NamedType("Result", .boolean)]
    private static let text = [NamedType("Result", .utf8String)]
    private static let number = [NamedType("Result", .integer)]
    private static let bytes = [NamedType("Result", .binary)]
    private static let userInfo = NamedType("aUserInfo", .structure("UserInfo"))
    private static let user = [NamedType("aUserID", .utf8String), NamedType("aPassword", .utf8String)]
    private static let tables = NamedType("aTableNameArray", .array(of: .utf8String))
    private static let command = NamedType("aCommandName", .utf8String)
    private static let sql = NamedType("aSQLText", .utf8String)
    private static let dynamicWhere = NamedType("aDynamicWhereXML", .utf8String)
    private static let table = NamedType("aTableName", .utf8String)
    private static let dataParameters = RemotingType.array(of: .structure("DataParameter"))
    private static let selection = [sql, NamedType("aIncludeSchema", .boolean), NamedType("aMaxRecords", .integer)]

    private static let all = [
        loginEx, logout, simpleLogin, multiDbLogin, connectionNames, defaultConnectionName, schema,
        MethodSignature(
            "GetData",
            [tables, .init("aTableRequestInfoArray", .array(of: .structure("TableRequestInfo")))],
            results: bytes
        ),
        MethodSignature("UpdateData", [.init("aDelta", .binary)], results: bytes),
        MethodSignature("ExecuteCommand", [command, .init("aParameterArray", dataParameters)], results: number),
        MethodSignature(
            "ExecuteCommandEx",
            [command, .init("aInputParameters", dataParameters)],
            results: number + [.init("aOutputParameters", dataParameters)]
        ),
        MethodSignature("GetTableSchema", [tables], results: text),
        MethodSignature("GetCommandSchema", [.init("aCommandNameArray", .array(of: .utf8String))], results: text),
        MethodSignature("SQLGetData", selection, results: bytes),
        MethodSignature("SQLGetDataEx", selection + [dynamicWhere], results: bytes),
        MethodSignature("SQLExecuteCommand", [sql], results: number),
        MethodSignature("SQLExecuteCommandEx", [sql, dynamicWhere], results: number),
        MethodSignature("GetDatasetScripts", [.init("DatasetNames", .utf8String)], results: text),
        MethodSignature("RegisterForDataChangeNotification", [table]),
        MethodSignature("UnregisterForDataChangeNotification", [table]),
    ]
}
