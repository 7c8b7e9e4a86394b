// SPDX-License-Identifier: Apache-2.0

import JSON

/// A request to call a method.
struct Request {
    let method: String
    let parameters: JSONObject
    let isOneway: Bool
    let wantsMore: Bool
    let wantsUpgrade: Bool

    init(method: String, parameters: JSONObject = [:], wantsMore: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.wantsMore = wantsMore
        isOneway = false
        wantsUpgrade = false
    }

    /// - Throws: `JSONSyntaxError` or `JSONShapeError`. The framing is lost then, so later input of this peer must be
    ///   ignored.
    init(parsing frame: UnsafeRawBufferPointer, limits: VarlinkLimits) throws {
        let limits = JSONLimits(depth: limits.frameDepth, bytes: limits.frameBytes)
        guard let message = try JSONValue(parsing: frame, limits: limits).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        method = try message.string("method")
        parameters = try message.optionalObject("parameters") ?? [:]
        isOneway = try message.optionalBool("oneway") ?? false
        wantsMore = try message.optionalBool("more") ?? false
        wantsUpgrade = try message.optionalBool("upgrade") ?? false
    }
}
