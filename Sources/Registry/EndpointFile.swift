// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

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
