// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What an import did, or would do, with one login of the file.
public struct ImportedLoginRecord: APIMessage {
    public enum Verdict: String, Sendable, CaseIterable {
        case added, unchanged, conflict
    }

    public var login: String
    /// Id of the endpoint that it belongs to here.
    public var endpoint: String
    /// Where the file says that the endpoint is.
    public var name: String?
    public var url: String?
    public var verdict: Verdict
    /// Why it is a conflict.
    public var reason: String?
    /// Somebody has to agree to the endpoint's identity before the login can be used.
    public var needsAgreement: Bool

    public init(
        login: String,
        endpoint: String,
        name: String?,
        url: String?,
        verdict: Verdict,
        reason: String?,
        needsAgreement: Bool
    ) {
        self.login = login
        self.endpoint = endpoint
        self.name = name
        self.url = url
        self.verdict = verdict
        self.reason = reason
        self.needsAgreement = needsAgreement
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        login = try json.string("login")
        endpoint = try json.string("endpoint")
        name = try json.optionalString("name")
        url = try json.optionalString("url")
        verdict = try json.word("verdict")
        reason = try json.optionalString("reason")
        needsAgreement = try json.bool("needsAgreement")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "login": .string(login),
            "endpoint": .string(endpoint),
            "name": name.jsonValue,
            "url": url.jsonValue,
            "verdict": .string(verdict.rawValue),
            "reason": reason.jsonValue,
            "needsAgreement": .bool(needsAgreement),
        ])
    }
}
