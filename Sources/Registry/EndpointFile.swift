// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

/// What survives a restart: the user's entries and settings, as the bytes of `endpoints.json`.
struct EndpointFile: Equatable {
    struct Entry: Equatable {
        var id: EndpointID
        var manual: ManualEntry?
        var settings: EndpointSettings
    }

    static let version: Int64 = 1
    static let maximumBytes = 4 << 20

    var entries: [Entry]

    init(entries: [Entry]) {
        self.entries = entries
    }

    init(parsing bytes: [UInt8]) throws(EndpointFileError) {
        let root: JSONObject
        do {
            guard case .object(let object) = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: Self.maximumBytes))
            else { throw EndpointFileError.damaged("it is no JSON object") }
            root = object
        } catch let error as EndpointFileError {
            throw error
        } catch {
            throw .damaged("\(error)")
        }
        do {
            let version = try root.integer("version")
            guard version == Self.version else { throw EndpointFileError.versionTooNew(version) }
            entries = try root.objects("endpoints").map(Self.entry)
        } catch let error as EndpointFileError {
            throw error
        } catch {
            throw .damaged("\(error)")
        }
    }

    var bytes: [UInt8] {
        let value: JSONValue = [
            "version": .integer(Self.version),
            "endpoints": .array(entries.map { .object(Self.json($0)) }),
        ]
        return value.serialized(.pretty) + [UInt8(ascii: "\n")]
    }

    private static func entry(_ json: JSONObject) throws -> Entry {
        guard let id = EndpointID(try json.string("id")) else { throw EndpointFileError.damaged("an id is malformed") }
        var manual: ManualEntry?
        if let name = try json.optionalString("name") {
            guard ManualEntry.isValid(name: name) else { throw EndpointFileError.damaged("a name is malformed") }
            let isImported = try json.optionalString("origin") == Origin.imported.rawValue
            manual = ManualEntry(
                name: name,
                url: try ServerURL(completing: try json.string("url")),
                origin: isImported ? .imported : .manual
            )
        }
        var settings = EndpointSettings()
        settings.scheme = try json.optionalString("scheme").flatMap(ServerURL.Scheme.init(rawValue:))
        settings.path = try json.optionalString("path").map { try ServerURL.checkedPath($0) }
        settings.dataService = try json.optionalString("dataService").flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.loginService = try json.optionalString("loginService").flatMap { ServiceNames.isValid($0) ? $0 : nil }
        settings.probe = try json.optionalString("probe").flatMap(ProbeMode.init(rawValue:))
        settings.loginDomain = try json.optionalString("loginDomain")
        settings.loginSchema = try json.optionalString("loginSchema")
        return Entry(id: id, manual: manual, settings: settings)
    }

    private static func json(_ entry: Entry) -> JSONObject {
        var json: JSONObject = ["id": .string(entry.id.text)]
        json["name"] = entry.manual.map { .string($0.name) }
        json["url"] = entry.manual.map { .string($0.url.description) }
        json["origin"] = entry.manual.flatMap { $0.origin == .imported ? .string($0.origin.rawValue) : nil }
        json["scheme"] = entry.settings.scheme.map { .string($0.rawValue) }
        json["path"] = entry.settings.path.map { .string($0) }
        json["dataService"] = entry.settings.dataService.map { .string($0) }
        json["loginService"] = entry.settings.loginService.map { .string($0) }
        json["probe"] = entry.settings.probe.map { .string($0.rawValue) }
        json["loginDomain"] = entry.settings.loginDomain.map { .string($0) }
        json["loginSchema"] = entry.settings.loginSchema.map { .string($0) }
        return json
    }
}

/// Why the saved list could not be read.
enum EndpointFileError: Error, Equatable, CustomStringConvertible {
    case damaged(String)
    case versionTooNew(Int64)

    var description: String {
        switch self {
        case .damaged(let reason): "the file is damaged: \(reason)"
        case .versionTooNew(let version):
            "the file has format version \(version), this program reads \(EndpointFile.version)"
        }
    }
}
