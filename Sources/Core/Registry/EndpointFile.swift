// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import JSON
package import NIOPosix
import Platform

/// What survives a restart: the user's entries and settings, as the bytes of `endpoints.json`.
struct EndpointFile: Equatable {
    static let version: Int64 = 1
    static let maximumBytes = 4 << 20

    var savedEndpoints: [SavedEndpoint]

    init(_ savedEndpoints: [SavedEndpoint]) {
        self.savedEndpoints = savedEndpoints
    }

    init(parsing bytes: [UInt8]) throws(StateFileError) {
        let root: JSONObject
        do {
            // Whatever fits into the bytes: what was saved can be read.
            let limits = JSONLimits(bytes: Self.maximumBytes, values: Self.maximumBytes)
            guard case .object(let object) = try JSONValue(parsing: bytes, limits: limits) else {
                throw StateFileError.damaged("it is no JSON object")
            }
            root = object
        } catch let error as StateFileError {
            throw error
        } catch {
            throw .damaged("\(error)")
        }
        do {
            let version = try root.integer("version")
            guard version == Self.version else { throw StateFileError.versionTooNew(version, known: Self.version) }
            savedEndpoints = try root.objects("endpoints").map(Self.saved)
        } catch let error as StateFileError {
            throw error
        } catch {
            throw .damaged("\(error)")
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
        settings.path = try json.optionalString("path").map { try ServerURL.checkedPath($0) }
        settings.dataService = try json.optionalString("dataService").flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.loginService = try json.optionalString("loginService").flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.probe = try json.optionalString("probe").flatMap(ProbeMode.init(rawValue:))
        settings.loginDomain = try json.optionalString("loginDomain")
        settings.loginSchema = try json.optionalString("loginSchema")
        settings.isHidden = try json.optionalBool("hidden") == true ? true : nil
        settings.isReadOnly = try json.optionalBool("readOnly") == true ? true : nil
        settings.isForGrantsOnly = try json.optionalBool("grantsOnly") == true ? true : nil
        settings.allowsSessionExport = try json.optionalBool("sessionExport") == true ? true : nil
        settings.isConfirmed = try json.optionalBool("confirm") == true ? true : nil
        settings.acceptsUnknownOwner = try json.optionalBool("acceptUnknownOwner") == true ? true : nil
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
            // Absent for those that earlier versions know too.
            json["origin"] = entry.origin == .manual ? nil : .string(entry.origin.rawValue)
        }
        let settings = saved.settings
        json["scheme"] = settings.scheme.map { .string($0.rawValue) }
        json["path"] = settings.path.map { .string($0) }
        json["dataService"] = settings.dataService.map { .string($0) }
        json["loginService"] = settings.loginService.map { .string($0) }
        json["probe"] = settings.probe.map { .string($0.rawValue) }
        json["loginDomain"] = settings.loginDomain.map { .string($0) }
        json["loginSchema"] = settings.loginSchema.map { .string($0) }
        json["hidden"] = settings.isHidden.map { .bool($0) }
        json["readOnly"] = settings.isReadOnly.map { .bool($0) }
        json["grantsOnly"] = settings.isForGrantsOnly.map { .bool($0) }
        json["sessionExport"] = settings.allowsSessionExport.map { .bool($0) }
        json["confirm"] = settings.isConfirmed.map { .bool($0) }
        json["acceptUnknownOwner"] = settings.acceptsUnknownOwner.map { .bool($0) }
        json["used"] = saved.memory.map { .object($0.json) }
        return json
    }
}

/// Keeps `endpoints.json` in one directory.
package struct EndpointStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        file = StateFile("endpoints.json", in: directory, maximumBytes: EndpointFile.maximumBytes, pool: pool)
    }

    /// - Returns: what was saved, none where there is no file, and the problem of a file that cannot be used.
    func load() async -> (savedEndpoints: [SavedEndpoint], problem: StateFileProblem?) {
        let (found, problem) = await file.load { try EndpointFile(parsing: $0) }
        return (found?.savedEndpoints ?? [], problem)
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    func save(_ contents: EndpointFile) async throws {
        try await file.save { contents.bytes }
    }
}

/// What survives a restart of one endpoint.
package struct SavedEndpoint: Sendable, Hashable {
    package var id: EndpointID
    package var entry: ManualEntry?
    /// Where it was sighted last, if it was used once.
    var memory: RememberedServer?
    package var settings = EndpointSettings()

    var isEmpty: Bool { entry == nil && memory == nil && settings.isEmpty }
}

/// What is kept of a server that was used once, so that it stays in the list and is recognised when it comes back.
struct RememberedServer: Sendable, Hashable {
    static let mostUsedAddresses = 8

    /// As it was announced when it was first used: its name in the list.
    let instance: ServiceInstance
    /// Where it was sighted last, and by which source.
    var source: SourceName
    /// Empty for a source that is bound to no interface.
    var interfaceName: String
    var host: String
    var port: UInt16
    var scheme: ServerURL.Scheme
    var path: String
    var addresses: [IPAddress]
    /// Where it was when it was last used, however often it has been announced elsewhere since.
    var usedHost: String
    /// As `usedHost`, at most 8.
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

    /// By these it is recognised for good.
    var usedLocators: [HostOrAddress] { Self.locators(usedHost, usedAddresses) }

    var addressPlaces: [HostAndPort] { addresses.map { HostAndPort(locator: .address($0.bytes), port: port) } }

    private static func locators(_ host: String, _ addresses: [IPAddress]) -> [HostOrAddress] {
        (host.isEmpty ? [] : [.host(HostName(host))]) + addresses.map { .address($0.bytes) }
    }

    /// nil where it was never sighted at an address.
    var url: ServerURL? {
        addresses.first.map { address in
            let host = ServerHost(announced: HostName(host).text, at: address, interface: interfaceName)
            return ServerURL(scheme: scheme, host: host, port: port, path: path)
        }
    }
}

/// Its form in `endpoints.json`.
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
        // Earlier versions did not tell it from where the server was sighted last.
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

    /// As text, or in hexadecimal digits where the bytes are none.
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

/// Where the revisions of a run begin: above all of the runs before, and not where another one could have been.
package enum FirstRevision {
    /// Changes that a run can tell in a second without reaching into the next one's numbers, and more.
    private static let perSecond: UInt64 = 1 << 20

    /// - Parameters:
    ///   - seconds: since 1970. Up to the year 2242 a revision is a whole number in JavaScript too.
    ///   - random: keeps runs apart where the clock was set back.
    package static func at(seconds: UInt64, random: UInt64 = .random(in: 0..<perSecond)) -> UInt64 {
        seconds * perSecond + random % perSecond
    }
}
