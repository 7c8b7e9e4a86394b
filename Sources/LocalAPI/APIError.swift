// SPDX-License-Identifier: Apache-2.0

public import JSON
public import Varlink

/// An error of the API: a stable code, a text for people, and the next thing to do.
public struct APIError: Error, Sendable, Hashable {
    public var code: APIErrorCode
    /// A sentence fragment without a secret; foreign text in it is escaped already.
    public var message: String
    /// The next thing to do, as a command where possible.
    public var hint: String?
    /// Further members that the interface description names, such as `candidates`.
    public var details: JSONObject

    public init(_ code: APIErrorCode, _ message: String, hint: String? = nil, details: JSONObject = JSONObject()) {
        self.code = code
        self.message = message
        self.hint = hint
        self.details = details
    }

    /// - Returns: nil for an error that is none of ours, such as those of `org.varlink.service`.
    public init?(_ error: VarlinkError) {
        guard let code = APIErrorCode(rawValue: error.name) else { return nil }
        var details = error.parameters
        details["message"] = nil
        details["hint"] = nil
        self.init(
            code,
            error.parameters["message"]?.stringValue ?? error.name,
            hint: error.parameters["hint"]?.stringValue,
            details: details
        )
    }

    public var varlinkError: VarlinkError {
        var parameters: JSONObject = ["message": .string(message)]
        if let hint { parameters["hint"] = .string(hint) }
        for (key, value) in details { parameters[key] = value }
        return VarlinkError(code.rawValue, parameters)
    }
}

extension APIError: CustomStringConvertible {
    public var description: String { hint.map { "\(message) (\($0))" } ?? message }
}
