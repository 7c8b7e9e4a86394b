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
        if let page = face.pages.first(where: { $0.path == request.path }) {
            self = try .page(
                request,
                Request(method: page.method),
                .member(page.member, contentType: page.contentType)
            )
            return
        }
        let words = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard words.first?.isEmpty == true else { throw .noSuchPath }
        switch (words.count, words.dropFirst().first) {
        case (3, "call"):
            self = try .calling(words[2], request, methods, limits)
        case (4, "call"):
            try Self.check(service: words[2], methods)
            self = try .calling(words[3], request, methods, limits)
        case (5..., "call"):
            let members = try face.members(of: words[2], in: words.dropFirst(3))
            self = try .calling(words[2], request, methods, limits, members)
        case (3, "interfaces"):
            self = try .page(request, Self.description(of: words[2]), .definition)
        case (2, "health"):
            try Self.check(request, allows: ["GET"])
            self = .health
        default:
            self = try .listing(words, request, methods)
        }
    }

    /// A path of the two versions of systemd's bridge, varlink-http-bridge and varlink-httpd, which serve a directory
    /// of sockets. Their service, or socket, has the name of its main interface: here each interface is one.
    private static func listing(
        _ words: [String],
        _ request: HTTPRequest,
        _ methods: MethodTable
    ) throws(HTTPFailure) -> HTTPRoute {
        guard let word = words.dropFirst().first, ["services", "sockets", "idl"].contains(word) else {
            throw .noSuchPath
        }
        if words.count > 2 { try check(service: words[2], methods) }
        let info = Request(ServiceAPI.GetInfoCall())
        switch (words.count, word) {
        case (2, "services"): return try page(request, info, .listing(.services))
        case (2, "sockets"): return try page(request, info, .listing(.sockets))
        case (3, "services"), (3, "sockets"): return try page(request, info, .parameters)
        case (4, "services"):
            return try page(request, description(of: words[3]), .listing(.contents(service: words[2])))
        case (4, "sockets"): return try page(request, description(of: words[3]), .listing(.methodNames))
        case (4, "idl"): return try page(request, description(of: words[3]), .definition)
        default: throw .noSuchPath
        }
    }

    private static func check(service: String, _ methods: MethodTable) throws(HTTPFailure) {
        guard methods.serves(service) else { throw .noSuchService }
    }

    private static func description(of interface: String) -> Request {
        Request(ServiceAPI.GetInterfaceDescriptionCall(interface: interface))
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
        _ limits: VarlinkLimits,
        _ members: [(name: String, value: String)] = []
    ) throws(HTTPFailure) -> HTTPRoute {
        // A missing method is reported by the call itself.
        let isSafe = (try? methods.route(method)).map { $0.interface.isSafe($0.method) } ?? true
        try check(request, allows: isSafe ? ["GET", "POST"] : ["POST"])
        let asksForMore = try wantsMore(request.query, methods) || request.accepts("application/json-seq")
        var parameters = try parameters(of: request.body, limits)
        for member in members { parameters[member.name] = .string(member.value) }
        let call = Request(method: method, parameters: parameters, wantsMore: asksForMore)
        return .call(call, asksForMore ? .sequence : .parameters)
    }

    private static func check(_ request: HTTPRequest, allows methods: [String]) throws(HTTPFailure) {
        guard methods.contains(request.method.rawValue) else {
            throw .methodNotAllowed(methods.joined(separator: ", "))
        }
    }

    /// Reads the query of a call. A service is checked and has no other meaning, because the method names its
    /// interface.
    private static func wantsMore(_ query: String?, _ methods: MethodTable) throws(HTTPFailure) -> Bool {
        var wantsMore = false
        for part in query?.split(separator: "&", omittingEmptySubsequences: false) ?? [] {
            switch part {
            case "more", "more=1", "more=true": wantsMore = true
            case let part where part.hasPrefix("service="):
                try check(service: String(part.dropFirst("service=".count)), methods)
            case let part where part.hasPrefix("socket="):
                try check(service: String(part.dropFirst("socket=".count)), methods)
            default: throw .badQuery
            }
        }
        return wantsMore
    }

    private static func parameters(of body: [UInt8], _ limits: VarlinkLimits) throws(HTTPFailure) -> JSONObject {
        guard !body.isEmpty else { return [:] }
        let value: JSONValue
        do {
            var limits = limits.json
            // In a Varlink request the parameters are one level deeper.
            limits.depth -= 1
            value = try JSONValue(parsing: body, limits: limits)
        } catch {
            throw .badBody("\(error)")
        }
        guard let parameters = value.objectValue else { throw .badBody("it is something else") }
        return parameters
    }
}

extension Request {
    fileprivate init<Call: VarlinkMethodCall>(_ call: Call) {
        self.init(method: Call.method, parameters: call.json)
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

/// Rejects requests from web pages, in case the user forwards the socket to a TCP port.
enum HTTPGate {
    static func check(_ headers: HTTPHeaders) throws(HTTPFailure) {
        // A browser sends the origin of the page that makes the request.
        guard !headers.contains(name: "Origin") else { throw .originRefused }
        // A name that an attacker's DNS server resolves contains a dot. On a Unix socket the host name has no
        // meaning.
        let hosts = headers["Host"]
        guard hosts.count <= 1, hosts.allSatisfy(isHarmless) else { throw .hostRefused }
    }

    private static func isHarmless(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }
}

/// The configuration of a server's HTTP interface. HTTP clients use the same sockets, and are recognised by the first
/// byte.
///
/// Each method is `POST /call/METHOD` with its parameters as the body, and also `GET` if `VarlinkInterface.isSafe` is
/// true for it. `GET` of `/services`, `/interfaces/NAME` and `/health` describes the service. The paths of systemd's
/// bridge between HTTP and Varlink work too, without its WebSockets. A connection serves one request. A method that
/// throws `VarlinkError.expectedMore` is called again with `more`, so it must not have done anything before.
public struct HTTPFace: Sendable {
    /// A path for a method that is called without parameters. One string member of its reply is the body.
    public struct Page: Sendable, Hashable {
        /// The path with its slash, such as `/metrics`.
        public let path: String
        /// The name of the method with its interface.
        public let method: String
        /// The member of the reply that is sent as the body.
        public let member: String
        /// The value of the header `Content-Type`.
        public let contentType: String

        /// A page with these values.
        public init(path: String, method: String, member: String, contentType: String) {
            self.path = path
            self.method = method
            self.member = member
            self.contentType = contentType
        }
    }

    /// The pages in addition to the standard paths.
    public var pages: [Page]

    /// The members that the path of a method may give, by the method's qualified name: at least two, in the order of their
    /// parts of the path after `/call/METHOD`. They replace those of the body.
    public var pathMembers: [String: [String]] = [:]

    /// Returns the status code for an error of the service's own interfaces, given its qualified name.
    public var status: @Sendable (String) -> Int

    /// An HTTP interface with these pages. By default every error has status 500.
    public init(pages: [Page] = [], status: @escaping @Sendable (String) -> Int = { _ in 500 }) {
        self.pages = pages
        self.status = status
    }

    /// The members that are in a path.
    ///
    /// - Throws: `noSuchPath` for a method without such members, or with another number of them.
    fileprivate func members(
        of method: String,
        in parts: ArraySlice<String>
    ) throws(HTTPFailure) -> [(name: String, value: String)] {
        guard let names = pathMembers[method], names.count == parts.count else { throw .noSuchPath }
        var members: [(String, String)] = []
        for (name, part) in zip(names, parts) {
            guard let value = part.percentDecoded else { throw .noSuchPath }
            members.append((name, value))
        }
        return members
    }
}

extension String {
    /// The text with its percent-encoded bytes (RFC 3986, section 2.1); nil if the encoding or the text is not valid.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
