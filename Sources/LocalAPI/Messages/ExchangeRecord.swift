// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One exchange of a report on a server.
public struct ExchangeRecord: APIMessage {
    public enum Step: String, Sendable, Hashable, CaseIterable {
        case expiry, login, exception, schema, logout
        case wrongPassword = "wrong-password"
    }

    public var step: Step
    /// Base64.
    public var request: String
    public var status: Int64?
    public var headers: [String]
    /// Base64; foreign bytes.
    public var reply: String?
    public var notes: [String]
    public var error: String?

    public init(
        step: Step,
        request: String,
        status: Int64?,
        headers: [String],
        reply: String?,
        notes: [String],
        error: String?
    ) {
        self.step = step
        self.request = request
        self.status = status
        self.headers = headers
        self.reply = reply
        self.notes = notes
        self.error = error
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        step = try json.word("step")
        request = try json.string("request")
        status = try json.optionalInteger("status")
        headers = try json.strings("headers")
        reply = try json.optionalString("reply")
        notes = try json.strings("notes")
        error = try json.optionalString("error")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "step": .string(step.rawValue),
            "request": .string(request),
            "status": status.jsonValue,
            "headers": headers.jsonValue,
            "reply": reply.jsonValue,
            "notes": notes.jsonValue,
            "error": error.jsonValue,
        ])
    }
}
