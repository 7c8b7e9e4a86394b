// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import JSON
package import NIOPosix
import Platform

/// The contents of `endpoints.json`: the user's entries and settings, which survive a restart.
struct EndpointFile: Equatable {
    static let version: Int64 = 1
    static let maximumBytes = 4 << 20

    var savedEndpoints: [SavedEndpoint]
    /// Whether an endpoint in the file permits exported sessions, as a user of version 0.2.0 could set. It has no effect.
    private(set) var permitsSessionExport = false

    init(_ savedEndpoints: [SavedEndpoint]) {
        self.savedEndpoints = savedEndpoints
    }

    init(parsing bytes: [UInt8]) throws(StateFileError) {
        let root = try JSONObject(stateFile: bytes, version: Self.version, maximumBytes: Self.maximumBytes)
        do {
            let endpoints = try root.objects("endpoints")
            savedEndpoints = try endpoints.map(Self.saved)
            permitsSessionExport = try endpoints.contains { try $0.optionalBool("sessionExport") == true }
        } catch {
            throw StateFileError(error)
        }
    }

    var bytes: [UInt8] {
        let value: JSONValue = [
            "version": .integer(Self.version),
            "endpoints": .array(savedEndpoints.map { .object(Self.json($0)) }),
        ]
        return value.serialized(.pretty) + [UInt8(ascii: "\n")]
    }

    private static func saved(_ json: JSONObject) throws -> SavedEndpoint {
        guard let id = EndpointID(try json.string("id")) else { throw StateFileError.damaged("an id is malformed") }
        var entry: ManualEntry?
        if let name = try json.optionalString("name") {
            guard EndpointName.isValid(name) else { throw StateFileError.damaged("a name is malformed") }
            let origin = try json.optionalString("origin").map(Self.origin) ?? .manual
            entry = ManualEntry(name: name, url: try ServerURL(completing: try json.string("url")), origin: origin)
        }
        var settings = EndpointSettings()
        settings.scheme = try json.optionalString("scheme").flatMap(ServerURL.Scheme.init(rawValue:))
        settings.probe = try json.optionalString("probe").flatMap(ProbeMode.init(rawValue:))
        for (name, text) in EndpointSettings.texts { settings[keyPath: text] = try json.optionalString(name) }
        for (name, flag) in EndpointSettings.flags {
            settings[keyPath: flag] = try json.optionalBool(name) == true ? true : nil
        }
        settings.path = try settings.path.map { try ServerURL.checkedPath($0) }
        settings.dataService = settings.dataService.flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.loginService = settings.loginService.flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.codePage = settings.codePage.flatMap { EndpointSettings.isCodePage($0) ? $0 : nil }
        settings.defaultLogin = settings.defaultLogin.flatMap { $0.isEmpty ? nil : $0 }
        let memory = try json.optionalObject("used").map { try RememberedServer($0) }
        return SavedEndpoint(id: id, entry: entry, memory: memory, settings: settings)
    }

    private static func origin(_ text: String) throws(StateFileError) -> Origin {
        guard let origin = Origin(rawValue: text), origin == .manual || origin == .imported else {
            throw .damaged("an origin is malformed")
        }
        return origin
    }

    private static func json(_ saved: SavedEndpoint) -> JSONObject {
        var json: JSONObject = ["id": .string(saved.id.text)]
        if let entry = saved.entry {
            json["name"] = .string(entry.name)
            json["url"] = .string(entry.url.description)
            // Left out for `manual`, because earlier versions know no other origin.
            json["origin"] = entry.origin == .manual ? nil : .string(entry.origin.rawValue)
        }
        let settings = saved.settings
        json["scheme"] = settings.scheme.map { .string($0.rawValue) }
        json["probe"] = settings.probe.map { .string($0.rawValue) }
        for (name, text) in EndpointSettings.texts { json[name] = settings[keyPath: text].map { .string($0) } }
        for (name, flag) in EndpointSettings.flags { json[name] = settings[keyPath: flag].map { .bool($0) } }
        json["used"] = saved.memory.map { .object($0.json) }
        return json
    }
}

/// Reads and writes `endpoints.json` in one directory.
package struct EndpointStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: created with mode 0700 if it does not exist.
    package init(directory: String, pool: NIOThreadPool) {
        file = StateFile("endpoints.json", in: directory, maximumBytes: EndpointFile.maximumBytes, pool: pool)
    }

    /// - Returns: the saved endpoints, none if there is no file, and the problem with the file.
    func load() async -> (savedEndpoints: [SavedEndpoint], problem: StateFileProblem?) {
        let (found, problem) = await file.load { try EndpointFile(parsing: $0) }
        guard let found else { return ([], problem) }
        return (found.savedEndpoints, found.permitsSessionExport ? .sessionExportIgnored(path: file.path) : problem)
    }

    /// Returns when the file is on disk. Call again only after that, because two writes would race.
    ///
    /// - Throws: `StateFileError` or a `PlatformError`. The old file is unchanged then.
    func save(_ contents: EndpointFile) async throws {
        try await file.save { contents.bytes }
    }
}

/// The part of one endpoint that survives a restart.
package struct SavedEndpoint: Sendable, Hashable {
    /// The endpoint's permanent ID.
    package var id: EndpointID
    /// The entry of the user or the administrator; nil if the server was not added.
    package var entry: ManualEntry?
    /// The last sighting, if the server was used at least once.
    var memory: RememberedServer?
    /// The user's settings.
    package var settings = EndpointSettings()

    var isEmpty: Bool { entry == nil && memory == nil && settings.isEmpty }
}

/// The facts about a used server that are kept, so that it stays in the list and is recognised when it returns.
struct RememberedServer: Sendable, Hashable {
    static let mostUsedAddresses = 8

    /// The instance that the server was announced as when it was first used. It is the endpoint's name in the list.
    let instance: ServiceInstance
    /// The source of the last sighting. The properties up to `addresses` are from the same sighting.
    var source: SourceName
    /// Empty for a source that is not bound to an interface.
    var interfaceName: String
    var host: String
    var port: UInt16
    var scheme: ServerURL.Scheme
    var path: String
    var addresses: [IPAddress]
    /// The host name at the last use. Later announcements do not change it.
    var usedHost: String
    /// The addresses at the last use, at most 8.
    var usedAddresses: [IPAddress]

    /// A server that is used where it is sighted.
    init(
        instance: ServiceInstance,
        source: SourceName,
        interfaceName: String,
        host: String,
        port: UInt16,
        scheme: ServerURL.Scheme,
        path: String,
        addresses: [IPAddress]
    ) {
        self.instance = instance
        self.source = source
        self.interfaceName = interfaceName
        self.host = host
        self.port = port
        self.scheme = scheme
        self.path = path
        self.addresses = addresses
        usedHost = host
        usedAddresses = Array(addresses.prefix(Self.mostUsedAddresses))
    }

    var name: InstanceName { InstanceName(instance) }

    var locators: [HostOrAddress] { Self.locators(host, addresses) }

    /// The host name and addresses of the last use, by which the server is always recognised.
    var usedLocators: [HostOrAddress] { Self.locators(usedHost, usedAddresses) }

    var addressPlaces: [HostAndPort] { addresses.map { HostAndPort(locator: .address($0.bytes), port: port) } }

    private static func locators(_ host: String, _ addresses: [IPAddress]) -> [HostOrAddress] {
        (host.isEmpty ? [] : [.host(HostName(host))]) + addresses.map { .address($0.bytes) }
    }

    /// The URL of the last sighting; nil if it had no address.
    var url: ServerURL? {
        addresses.first.map { address in
            let host = ServerHost(announced: HostName(host).text, at: address, interface: interfaceName)
            return ServerURL(scheme: scheme, host: host, port: port, path: path)
        }
    }
}

/// The form in `endpoints.json`.
extension RememberedServer {
    private static let longestText = 1_024
    private static let mostAddresses = 64

    init(_ json: JSONObject) throws {
        guard let port = UInt16(exactly: try json.integer("port")), port > 0 else {
            throw StateFileError.damaged("a port is malformed")
        }
        guard let scheme = ServerURL.Scheme(rawValue: try json.string("scheme")) else {
            throw StateFileError.damaged("a scheme is malformed")
        }
        let addresses = try Self.addresses(try json.strings("addresses"))
        guard !addresses.isEmpty else { throw StateFileError.damaged("there is no address") }
        self.init(
            instance: ServiceInstance(
                nameBytes: try Self.name(json),
                type: try Self.text("type", json),
                domain: try Self.text("domain", json)
            ),
            source: SourceName(try Self.text("source", json)),
            interfaceName: try json.optionalString("interface") ?? "",
            host: try Self.text("host", json),
            port: port,
            scheme: scheme,
            path: try ServerURL.checkedPath(try json.string("path")),
            addresses: addresses
        )
        // Earlier versions did not save the last use separately from the last sighting.
        guard json["usedHost"] != nil else { return }
        usedHost = try Self.text("usedHost", json)
        usedAddresses = Array(try Self.addresses(try json.strings("usedAddresses")).prefix(Self.mostUsedAddresses))
    }

    var json: JSONObject {
        var json: JSONObject = [
            "type": .string(instance.type),
            "domain": .string(instance.domain),
            "source": .string(source.text),
            "host": .string(host),
            "port": .integer(Int64(port)),
            "scheme": .string(scheme.rawValue),
            "path": .string(path),
            "addresses": .array(addresses.prefix(Self.mostAddresses).map { .string($0.description) }),
            "usedHost": .string(usedHost),
            "usedAddresses": .array(usedAddresses.map { .string($0.description) }),
        ]
        if String(validating: instance.nameBytes, as: UTF8.self) == nil {
            json["nameBytes"] = .string(HexText.encode(instance.nameBytes))
        } else {
            json["name"] = .string(instance.name)
        }
        if !interfaceName.isEmpty { json["interface"] = .string(interfaceName) }
        return json
    }

    /// Returns the instance name, which is stored as text, or in hexadecimal digits if it is not UTF-8.
    private static func name(_ json: JSONObject) throws -> [UInt8] {
        guard let digits = try json.optionalString("nameBytes") else { return Array(try text("name", json).utf8) }
        guard digits.utf8.count <= longestText, let bytes = HexText.decode(digits) else {
            throw StateFileError.damaged("a name is malformed")
        }
        return bytes
    }

    private static func addresses(_ texts: [String]) throws -> [IPAddress] {
        try texts.prefix(mostAddresses).map { text in
            guard let address = IPAddress(text) else { throw StateFileError.damaged("an address is malformed") }
            return address
        }
    }

    private static func text(_ key: String, _ json: JSONObject) throws -> String {
        let text = try json.string(key)
        guard text.utf8.count <= longestText else { throw StateFileError.damaged("'\(key)' is too long") }
        return text
    }
}

/// The first revision of a run of the daemon. It is above all revisions of earlier runs, and differs from those that
/// another run could have had.
package enum FirstRevision {
    /// More changes than a run can make in a second, so that its revisions do not reach those of the next run.
    private static let perSecond: UInt64 = 1 << 20

    /// - Parameters:
    ///   - seconds: the Unix time. Up to the year 2242 JavaScript represents revisions exactly, as integers.
    ///   - random: makes runs differ if the clock was set back.
    package static func at(seconds: UInt64, random: UInt64 = .random(in: 0..<perSecond)) -> UInt64 {
        seconds * perSecond + random % perSecond
    }
}
