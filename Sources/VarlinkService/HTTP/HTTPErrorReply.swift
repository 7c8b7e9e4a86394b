// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOHTTP1
import Varlink

/// An error reply in its HTTP form: a JSON object of the error's name and its parameters.
struct HTTPErrorReply {
    let status: HTTPResponseStatus
    let json: JSONObject

    init(_ name: String, _ parameters: JSONObject, face: HTTPFace) {
        let standard = Self.standard(name, parameters)
        status = HTTPResponseStatus(statusCode: standard?.status ?? face.status(name))
        var json: JSONObject = ["error": .string(name)]
        if let standard {
            json["message"] = .string(standard.message)
            json["hint"] = .string(standard.hint)
        }
        for (key, value) in parameters { json[key] = value }
        self.json = json
    }

    /// The status, message and hint for errors of org.varlink.service, which have neither a message nor a hint.
    private static func standard(
        _ name: String,
        _ parameters: JSONObject
    ) -> (status: Int, message: String, hint: String)? {
        switch name.removingPrefix("org.varlink.service.") {
        case "InterfaceNotFound": (404, "there is no such interface", "GET /services")
        case "MethodNotFound": (404, "the interface has no such method", "GET /interfaces/NAME")
        case "MethodNotImplemented": (501, "this service leaves the method out", "GET /services tells its version")
        case "InvalidParameter" where parameters["parameter"]?.stringValue == "upgrade":
            (
                400, "the method takes a secret, and secrets do not travel over HTTP",
                "call it over Varlink with upgrade"
            )
        case "InvalidParameter": (400, "a parameter is missing or unusable", "GET /interfaces/NAME")
        case "ExpectedMore": (400, "the method sends several replies", "ask for them: ?more")
        case "PermissionDenied": (403, "the caller may not do this", "ask whoever runs the service")
        default: nil
        }
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
