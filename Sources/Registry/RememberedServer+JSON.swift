// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform

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
