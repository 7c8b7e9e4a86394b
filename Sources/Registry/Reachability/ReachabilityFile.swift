// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

/// What was known of each endpoint when the daemon stopped, as the bytes of `reachability.json`.
struct ReachabilityFile: Equatable {
    static let version: Int64 = 1
    static let maximumBytes = 4 << 20

    var states: [EndpointID: Reachability]

    init(_ states: [EndpointID: Reachability]) {
        self.states = states
    }

    /// - Parameter now: Unix seconds; what claims to be later happened now.
    init(parsing bytes: [UInt8], now: Int64) throws {
        let limits = JSONLimits(bytes: Self.maximumBytes, values: Self.maximumBytes)
        guard case .object(let root) = try JSONValue(parsing: bytes, limits: limits) else {
            throw StateFileError.damaged("it is no JSON object")
        }
        let version = try root.integer("version")
        guard version == Self.version else { throw StateFileError.versionTooNew(version, known: Self.version) }
        states = [:]
        for entry in try root.objects("endpoints") {
            guard let id = EndpointID(try entry.string("id")) else {
                throw StateFileError.damaged("an id is malformed")
            }
            let heard = min(max(try entry.integer("heard"), 0), now)
            let since = min(max(try entry.integer("since"), 0), heard)
            states[id] = Reachability(saved: try Self.contact(entry), since: since, heard: heard)
        }
    }

    var bytes: [UInt8] {
        let entries = states.sorted { $0.key.text < $1.key.text }.map { JSONValue.object(Self.json($0.key, $0.value)) }
        let value: JSONValue = ["version": .integer(Self.version), "endpoints": .array(entries)]
        return value.serialized(.pretty) + [UInt8(ascii: "\n")]
    }

    private static func contact(_ entry: JSONObject) throws -> Contact {
        func reason() throws -> StateReason {
            guard let reason = StateReason(saved: try entry.object("reason")) else {
                throw StateFileError.damaged("a reason is malformed")
            }
            return reason
        }
        switch EndpointState(rawValue: try entry.string("state")) {
        case .reachable: return .reached
        case .unreachable: return .failed(try reason())
        case .conflict: return .conflict(try reason())
        default: throw StateFileError.damaged("a state is malformed")
        }
    }

    private static func json(_ id: EndpointID, _ state: Reachability) -> JSONObject {
        var json: JSONObject = [
            "id": .string(id.text),
            "state": .string(state.contact.state.rawValue),
            "since": .integer(state.since),
            "heard": .integer(state.heard),
        ]
        json["reason"] = state.contact.reason.map { .object($0.saved) }
        return json
    }
}
