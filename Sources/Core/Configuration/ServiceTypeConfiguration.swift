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

extension ServiceTypeConfiguration {
    private static let expectedType = "a service type such as \"_office_rosdk._tcp\""
    private static let expectedService = "letters, digits, _ and ."
    private static let expectedText = "1 to 255 bytes of text"

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let type = try table.text("type", expected: Self.expectedType) { text -> String? in
            text != "*" && DaemonConfiguration.isServiceType(text) ? text : nil
        }
        self.init(type: try table.required(type, "type", expected: Self.expectedType))
        dataService = try table.text("data_service", expected: Self.expectedService, Self.service)
        loginService = try table.text("login_service", expected: Self.expectedService, Self.service)
        domain = try table.text("domain", expected: Self.expectedText, Self.text)
        schema = try table.text("schema", expected: Self.expectedText, Self.text)
        try table.finish()
    }

    private static func service(_ text: String) -> String? { ServiceNames.isValid(text) ? text : nil }

    private static func text(_ text: String) -> String? {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
    }
}

extension DaemonConfiguration {
    mutating func readServiceTypes(_ reader: inout TableReader) {
        let errors = reader.tables("service_type", atMost: 64) { table throws(ConfigurationError) in
            let type = try ServiceTypeConfiguration(table)
            guard !serviceTypeSettings.contains(where: { ASCII.areEqual($0.type, type.type) }) else {
                throw table.fault("type", expected: "unique among the tables")
            }
            serviceTypeSettings.append(type)
        }
        reader.report(errors)
    }
}
