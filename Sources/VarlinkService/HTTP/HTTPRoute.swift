// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOHTTP1
import Varlink

/// The action that a request asks for.
enum HTTPRoute {
    /// A health check. The event loop that answers it is the one that runs calls, so an answer shows that calls can
    /// run.
    case health
    case call(Request, HTTPRendering)

    init(
        _ request: HTTPRequest,
        face: HTTPFace,
        methods: MethodTable,
        limits: VarlinkLimits
    ) throws(HTTPFailure) {
        try HTTPGate.check(request.headers)
        if let method = request.path.removing(prefix: "/call/") {
            self = try .calling(method, request, methods, limits)
        } else if let interface = request.path.removing(prefix: "/interfaces/") {
            self = try .page(
                request,
                Request(
                    method: "org.varlink.service.GetInterfaceDescription",
                    parameters: ["interface": .string(interface)]
                ),
                .member("description", contentType: "text/plain; charset=utf-8")
            )
        } else if request.path == "/services" {
            self = try .page(request, Request(method: "org.varlink.service.GetInfo"), .parameters)
        } else if request.path == "/health" {
            try Self.check(request, allows: ["GET"])
            self = .health
        } else if let page = face.pages.first(where: { $0.path == request.path }) {
            self = try .page(
                request,
                Request(method: page.method),
                .member(page.member, contentType: page.contentType)
            )
        } else {
            throw .noSuchPath
        }
    }

    private static func page(
        _ request: HTTPRequest,
        _ call: Request,
        _ rendering: HTTPRendering
    ) throws(HTTPFailure) -> HTTPRoute {
        try check(request, allows: ["GET"])
        guard request.query == nil else { throw .badQuery }
        return .call(call, rendering)
    }

    private static func calling(
        _ method: String,
        _ request: HTTPRequest,
        _ methods: MethodTable,
        _ limits: VarlinkLimits
    ) throws(HTTPFailure) -> HTTPRoute {
        // A missing method is reported by the call itself.
        let isSafe = (try? methods.route(method)).map { $0.interface.isSafe($0.method) } ?? true
        try check(request, allows: isSafe ? ["GET", "POST"] : ["POST"])
        let asksForMore = try wantsMore(request.query) || request.accepts("application/json-seq")
        let parameters = try parameters(of: request.body, limits)
        let call = Request(method: method, parameters: parameters, wantsMore: asksForMore)
        return .call(call, asksForMore ? .sequence : .parameters)
    }

    private static func check(_ request: HTTPRequest, allows methods: [String]) throws(HTTPFailure) {
        guard methods.contains(request.method.rawValue) else {
            throw .methodNotAllowed(methods.joined(separator: ", "))
        }
    }

    private static func wantsMore(_ query: String?) throws(HTTPFailure) -> Bool {
        switch query {
        case nil: false
        case "more", "more=1", "more=true": true
        default: throw .badQuery
        }
    }

    private static func parameters(of body: [UInt8], _ limits: VarlinkLimits) throws(HTTPFailure) -> JSONObject {
        guard !body.isEmpty else { return [:] }
        let value: JSONValue
        do {
            // In a Varlink request the parameters are one level deeper.
            value = try JSONValue(
                parsing: body,
                limits: JSONLimits(depth: limits.frameDepth - 1, bytes: limits.frameBytes)
            )
        } catch {
            throw .badBody("\(error)")
        }
        guard let parameters = value.objectValue else { throw .badBody("it is something else") }
        return parameters
    }
}

extension HTTPRequest {
    /// Whether a header `Accept` names the type. Wildcards do not count: clients send them by default.
    fileprivate func accepts(_ type: String) -> Bool {
        headers[canonicalForm: "Accept"].contains { item in
            item.prefix { $0 != ";" }.lowercased() == type
        }
    }
}

extension String {
    fileprivate func removing(prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
