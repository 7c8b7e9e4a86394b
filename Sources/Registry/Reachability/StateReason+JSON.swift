// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

extension StateReason {
    /// Characters of each text, so that no file of ours grows too large.
    private static let longestText = 200

    /// - Returns: nil for JSON that is no reason.
    init?(saved json: JSONObject) {
        guard let code = json["code"]?.stringValue.flatMap(Code.init(rawValue:)) else { return nil }
        func text(_ name: String) -> String? { (json[name]?.stringValue).map { String($0.prefix(Self.longestText)) } }
        self.init(
            code,
            host: text("host"),
            port: json["port"]?.integerValue.flatMap(UInt16.init(exactly:)),
            shown: text("shown"),
            path: text("path"),
            errno: json["errno"]?.integerValue.flatMap(Int32.init(exactly:)),
            detail: text("detail").map { Printable(again: $0).description }
        )
    }

    /// As it is kept in `reachability.json`.
    var saved: JSONObject {
        var json: JSONObject = ["code": .string(code.rawValue)]
        for (name, text) in [("host", host), ("shown", shown), ("path", path), ("detail", detail)] {
            json[name] = text.map { .string(String($0.prefix(Self.longestText))) }
        }
        json["port"] = port.map { .integer(Int64($0)) }
        json["errno"] = errno.map { .integer(Int64($0)) }
        return json
    }
}
