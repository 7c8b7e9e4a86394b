// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOHTTP1
import Varlink

/// The reason why a request is rejected without a call. The response has the same form as for an error of a method.
struct HTTPFailure: Error, Equatable {
    let status: HTTPResponseStatus
    /// A stable name, like those of errors.
    let name: String
    let message: String
    /// The next step for the user.
    let hint: String
    /// The methods that the path allows, if the request used another one.
    var allowed: String?

    var json: JSONObject {
        ["error": .string(name), "message": .string(message), "hint": .string(hint)]
    }
}

extension HTTPFailure {
    static let originRefused = HTTPFailure(
        status: .forbidden,
        name: "OriginRefused",
        message: "requests of web pages are not served",
        hint: "leave out the header Origin"
    )

    static let hostRefused = HTTPFailure(
        status: .forbidden,
        name: "HostRefused",
        message: "the host of the URL must be one name without a dot",
        hint: "curl --unix-socket SOCKET http://d/services"
    )

    static let noSuchPath = HTTPFailure(
        status: .notFound,
        name: "PathNotFound",
        message: "there is nothing at this path",
        hint: "GET /services, /interfaces/NAME or /health; POST /call/INTERFACE.METHOD"
    )

    static let noSuchService = HTTPFailure(
        status: .notFound,
        name: "ServiceNotFound",
        message: "a service is an interface of this socket, and there is none with this name",
        hint: "GET /services"
    )

    static let badQuery = HTTPFailure(
        status: .badRequest,
        name: "InvalidQuery",
        message: "the only queries are ?more and ?service=INTERFACE",
        hint: "parameters are the body of a POST, as a JSON object"
    )

    static let tooLarge = HTTPFailure(
        status: .payloadTooLarge,
        name: "RequestTooLarge",
        message: "the request is longer than one may be",
        hint: "send less in one request"
    )

    static let malformed = HTTPFailure(
        status: .badRequest,
        name: "MalformedRequest",
        message: "this is no HTTP/1 request",
        hint: "see the log of the client"
    )

    static func badBody(_ reason: String) -> HTTPFailure {
        HTTPFailure(
            status: .badRequest,
            name: "InvalidBody",
            message: "the body is no JSON object of parameters: \(reason)",
            hint: "see GET /interfaces/NAME"
        )
    }

    static func methodNotAllowed(_ allowed: String) -> HTTPFailure {
        HTTPFailure(
            status: .methodNotAllowed,
            name: "RequestMethodNotAllowed",
            message: "this takes \(allowed)",
            hint: allowed == "POST" ? "curl -X POST, or with -d a JSON object of parameters" : "curl without -d and -X",
            allowed: allowed
        )
    }
}

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
        switch ServiceError.Code(rawValue: name) {
        case .interfaceNotFound: (404, "there is no such interface", "GET /services")
        case .methodNotFound: (404, "the interface has no such method", "GET /interfaces/NAME")
        case .methodNotImplemented:
            (501, "this service leaves the method out", "GET /services tells its version")
        case .invalidParameter where isAboutUpgrade(parameters):
            (
                400, "the method takes a secret, and secrets do not travel over HTTP",
                "call it over Varlink with upgrade"
            )
        case .invalidParameter:
            (400, "a parameter is missing or unusable", "GET /interfaces/NAME")
        case .expectedMore: (400, "the method sends several replies", "ask for them: ?more")
        case .permissionDenied: (403, "the caller may not do this", "ask its operator")
        case nil: nil
        }
    }

    private static func isAboutUpgrade(_ parameters: JSONObject) -> Bool {
        parameters["parameter"] == "upgrade"
    }
}
