// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The usual settings of servers that are announced with a service type.
package struct ServiceTypeConfiguration: Sendable, Hashable {
    /// For example `_office_rosdk._tcp`.
    package var type: String
    /// The name of the data service; nil for the usual one.
    package var dataService: String?
    /// The name of the login service; nil for the usual one.
    package var loginService: String?
    /// The default domain of new logins, 1 to 255 bytes.
    package var domain: String?
    /// The default schema of new logins, 1 to 255 bytes.
    package var schema: String?
}

extension ServiceTypeConfiguration: ConfigurationTable {
    static var unique: Unique { [("type", { ASCII.areEqual($0.type, $1.type) })] }

    private static let expectedType = "a service type such as \"_office_rosdk._tcp\""

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let type = try table.text("type", expected: Self.expectedType) { text -> String? in
            text != "*" && DaemonConfiguration.isServiceType(text) ? text : nil
        }
        self.init(type: try table.required(type, "type", expected: Self.expectedType))
        dataService = try table.service("data_service")
        loginService = try table.service("login_service")
        domain = try table.loginPart("domain")
        schema = try table.loginPart("schema")
        try table.finish()
    }
}
