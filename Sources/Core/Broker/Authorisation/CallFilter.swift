// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Remoting
import Services

/// The calls that a grant permits.
package struct CallFilter: Sendable, Hashable {
    /// Maximum number of service names in one filter, and of method names.
    package static let mostNames = 64

    /// The permitted services.
    package let services: [String]
    /// The permitted methods of each service.
    package let methods: [String]
    /// Whether only calls that read are permitted.
    package let isReadOnly: Bool

    /// Permits every named method of every named service.
    ///
    /// - Parameters:
    ///   - services: if empty, the endpoint's data service.
    ///   - methods: if empty and `isReadOnly`, the methods that only read.
    /// - Throws: `BrokerError.invalidGrant`
    package init(
        services: [String],
        methods: [String],
        isReadOnly: Bool,
        at endpoint: ServiceNames
    ) throws(BrokerError) {
        let services = services.isEmpty ? [endpoint.data] : services
        let methods = methods.isEmpty && isReadOnly ? ToolCall.readingMethods : methods
        guard !methods.isEmpty else { throw .invalidGrant(reason: "name the methods, or make the grant read-only") }
        guard services.count <= Self.mostNames, methods.count <= Self.mostNames else {
            throw .invalidGrant(reason: "more than \(Self.mostNames) names")
        }
        for name in services + methods where !ServiceNames.isValid(name) {
            throw .invalidGrant(reason: "'\(Printable(name))' is not a valid name of a service or method")
        }
        self.services = services
        self.methods = methods
        self.isReadOnly = isReadOnly
    }

    func allows(_ call: ToolCall) -> Bool {
        let (service, method) = (WireName(call.service), WireName(call.method))
        return services.contains { WireName($0) == service } && methods.contains { WireName($0) == method }
            && (!isReadOnly || call.isReading)
    }
}

/// The parts of a tool's call that its permission depends on.
package struct ToolCall: Sendable, Hashable {
    /// As the tool wrote it.
    package let service: String
    /// As the tool wrote it.
    package let method: String
    /// Whether it is LoginEx, Login or Logout of a login service, which the daemon answers itself.
    package let isLogin: Bool
    /// Whether it is known to change no data: it reads the schema, it registers for events, or it reads data and
    /// contains no text that may become SQL.
    package let isReading: Bool
}

extension ToolCall {
    init(_ request: RequestMessage, isLogin: Bool) {
        self.init(
            service: request.service,
            method: request.method,
            isLogin: isLogin,
            isReading: !isLogin && Self.isReading(request)
        )
    }

    /// Methods that only read with any parameters, and GetData.
    static let readingMethods = ["GetSchema", "GetTableSchema", "GetCommandSchema", "GetData"]
    /// Methods that only change which events the session receives.
    private static let eventMethods = ["RegisterForDataChangeNotification", "UnregisterForDataChangeNotification"]
    private static let readingNames = Set((readingMethods + eventMethods).map(WireName.init))
    private static let getData = WireName("GetData")

    private static func isReading(_ request: RequestMessage) -> Bool {
        let method = WireName(request.method)
        guard readingNames.contains(method) else { return false }
        return method != getData || onlySelects(request)
    }

    /// Whether GetData's parameters can be read completely and contain nothing but known selections, for every order
    /// in which a server may read fields. Unreadable parameters do not count as selections.
    private static func onlySelects(_ request: RequestMessage) -> Bool {
        var parameters = request.parameters
        guard let signature = ServiceCatalog.signatures(of: "GetData").first, signature.parameters.count == 2,
            (try? parameters.readValue(signature.parameters[0].type, ServiceCatalog.structs)) != nil,
            FieldOrders.namesNoSQL(parameters.rest),
            let requests = try? parameters.readValue(signature.parameters[1].type, ServiceCatalog.structs),
            parameters.remaining == 0
        else { return false }
        return onlySelects(requests)
    }

    /// The fields of a TableRequestInfo that select columns and rows by names of the schema, and by values.
    private static let selectingFields = Set(
        [
            "IncludeSchema", "MaxRecords", "DynamicSelectFieldNames", "Sorting", "WhereClause",
        ].map(WireName.init)
    )
    /// The values that a server binds to the parameters of its statement.
    private static let parameters = WireName("Parameters")
    private static let textsOfSQL = Set(FieldOrders.textsOfSQL.map(WireName.init))

    private static func onlySelects(_ value: RemotingValue) -> Bool {
        switch value {
        case .array(let elements): elements?.allSatisfy(onlySelects) ?? true
        case .structure(let table):
            table.fields.allSatisfy { field in
                let name = WireName(field.name)
                if textsOfSQL.contains(name) { return [.utf8String(""), .wideString("")].contains(field.value) }
                return name == parameters || selectingFields.contains(name) && hasPlainNames(field.value)
            }
        default: false
        }
    }

    /// Whether the value of a selecting field contains no name that might change the server's SQL.
    private static func hasPlainNames(_ value: RemotingValue) -> Bool {
        switch value {
        case .utf8String(let name), .wideString(let name): SelectedName.isPlain(name)
        case .xml(let clause): SelectedName.arePlain(inWhere: clause)
        case .array(let elements): elements?.allSatisfy(hasPlainNames) ?? true
        case .structure(let fields): fields.fields.allSatisfy { hasPlainNames($0.value) }
        case .ansiString, .binary: false
        default: true
        }
    }
}

/// A name of a service, method or field as servers compare it: ASCII letters without case, all other bytes exactly.
/// Unicode equivalence does not apply.
struct WireName: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = text.utf8.map(ASCII.lowered)
    }
}
