// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One step of a login test.
public struct StepRecord: APIMessage {
    public var step: String
    public var ok: Bool
    public var detail: String

    public init(
        step: String,
        ok: Bool,
        detail: String
    ) {
        self.step = step
        self.ok = ok
        self.detail = detail
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        step = try json.string("step")
        ok = try json.bool("ok")
        detail = try json.string("detail")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "step": .string(step),
            "ok": .bool(ok),
            "detail": .string(detail),
        ])
    }
}
