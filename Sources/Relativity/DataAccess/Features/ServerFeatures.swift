// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import JSON

/// An ability that not every server has, or not every login.
package enum ServerFeature: String, JSONWord {
    /// GetSchema and GetTableSchema.
    case schema
    /// A selection of fields in a request for rows.
    case select
    /// A where clause in a request for rows.
    case `where`
    /// DateTime constants of a where clause as `PredicatePlan` writes them.
    case dates
    /// Tests for NULL in a where clause.
    case nullTests
    /// Statements in DA SQL.
    case daSQL
    /// Statements in the SQL of the database.
    case sqlText
    /// Named commands.
    case commands
    /// Notifications of changed tables.
    case events
    /// Tables by REST, without an adapter.
    case rest
    /// Tables by OData, without an adapter.
    case oData
    /// Services by HTTP, without an adapter.
    case httpAPI
}

/// The reason why the answer for a feature is known.
package enum FeatureReason: String, JSONWord {
    /// The server was asked.
    case probed
    /// The endpoint or the grant refuses the call, so that the server was not asked.
    case refusedByGrant
}

/// The answer for one feature.
package struct FeatureFinding: JSONRecord {
    /// Whether the server has the feature.
    package let isAvailable: Bool
    /// The reason why that is known.
    package let reason: FeatureReason

    /// Creates an answer.
    package init(_ isAvailable: Bool, _ reason: FeatureReason) {
        self.isAvailable = isAvailable
        self.reason = reason
    }

    package static let members: [JSONMember<Self>] = [.init("available", \.isAvailable), .init("reason", \.reason)]
}

/// The features of a server, as far as they are known.
package struct ServerFeatures: Hashable {
    private var findings: [ServerFeature: FeatureFinding] = [:]

    /// Creates features of which nothing is known.
    package init() {}

    /// The answer for a feature; nil if it is unknown.
    package subscript(feature: ServerFeature) -> FeatureFinding? {
        get { findings[feature] }
        set { findings[feature] = newValue }
    }

    /// Whether nothing is known.
    package var isEmpty: Bool { findings.isEmpty }

    /// Whether the server is known to have a feature.
    package func has(_ feature: ServerFeature) -> Bool { findings[feature]?.isAvailable == true }

    /// Whether the server is known not to have a feature.
    package func lacks(_ feature: ServerFeature) -> Bool { findings[feature]?.isAvailable == false }

    /// The answers that other calls with the same login may use: those of the server.
    package var probed: ServerFeatures {
        var result = ServerFeatures()
        result.findings = findings.filter { $0.value.reason == .probed }
        return result
    }

    /// Answers without a call for a server that the daemon lets only read: it refuses everything that may change data.
    package static let ofReadOnly: ServerFeatures = {
        var features = ServerFeatures()
        for feature in [ServerFeature.daSQL, .sqlText, .commands, .events] {
            features[feature] = FeatureFinding(false, .refusedByGrant)
        }
        return features
    }()

    /// Adds the answers of `other`, which replace known ones.
    package mutating func merge(_ other: ServerFeatures) {
        findings.merge(other.findings) { $1 }
    }

    /// The abilities that decide which parts of a predicate are sent. An unknown where clause is tried.
    package var whereCapabilities: WhereCapabilities {
        guard !lacks(.where) else { return [] }
        var result: WhereCapabilities = [.where]
        if has(.dates) { result.insert(.dates) }
        if has(.nullTests) { result.insert(.nullTests) }
        return result
    }
}

extension ServerFeatures: JSONConvertible {
    package static var jsonShape: JSONShapeError.Shape { .object }

    /// Reads a member for each known feature. Unknown members are ignored.
    package init(jsonValue: JSONValue) throws(JSONShapeError) {
        let json = try JSONObject(jsonValue: jsonValue)
        for feature in ServerFeature.allCases { findings[feature] = try json.read(feature.rawValue) }
    }

    /// A member for each known feature, in the order of `ServerFeature`.
    package var jsonValue: JSONValue {
        .object(
            JSONObject(
                ServerFeature.allCases.compactMap { feature in
                    findings[feature].map { (feature.rawValue, $0.jsonValue) }
                }
            )
        )
    }
}
