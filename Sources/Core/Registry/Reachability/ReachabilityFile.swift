// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
import JSON
package import NIOPosix

/// The contents of `reachability.json`: the reachability of each kept endpoint when the daemon stopped.
struct ReachabilityFile: Equatable {
    static let version: Int64 = 1
    static let maximumBytes = 4 << 20

    var states: [EndpointID: Reachability]

    init(_ states: [EndpointID: Reachability]) {
        self.states = states
    }

    /// - Parameter now: Unix time in seconds. Later times in the file are replaced by it.
    /// - Throws: `StateFileError`, or an error of the JSON parser.
    init(parsing bytes: [UInt8], now: Int64) throws {
        let root = try JSONObject(stateFile: bytes, version: Self.version, maximumBytes: Self.maximumBytes)
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
            guard var reason = try? StateReason(json: try entry.object("reason")).shortened else {
                throw StateFileError.damaged("a reason is malformed")
            }
            reason.detail = reason.detail.map { Printable(again: $0).description }
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
        json["reason"] = state.contact.reason.map { .object($0.shortened.json) }
        return json
    }
}

extension StateReason {
    /// The maximum number of characters of each text, which limits the size of the file.
    private static let longestText = 200

    /// The reason with texts of a limited length.
    fileprivate var shortened: StateReason {
        var short = self
        for text in [\StateReason.host, \.shown, \.path, \.detail] {
            short[keyPath: text] = self[keyPath: text].map { String($0.prefix(Self.longestText)) }
        }
        return short
    }
}

/// Reads and writes `reachability.json` in one directory.
package struct ReachabilityStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: created with mode 0700 if it does not exist.
    package init(directory: String, pool: NIOThreadPool) {
        file = StateFile("reachability.json", in: directory, maximumBytes: ReachabilityFile.maximumBytes, pool: pool)
    }

    /// - Returns: the saved states, which are empty if there is no file, and the problem if the file cannot be used.
    package func load() async -> (states: [EndpointID: Reachability], problem: StateFileProblem?) {
        let (found, problem) = await file.load { try ReachabilityFile(parsing: $0, now: Int64(time(nil))) }
        return (found?.states ?? [:], problem)
    }

    /// Returns when the file is on disk. Call again only after that, because two writes would race.
    ///
    /// - Throws: `StateFileError` or a `PlatformError`. The old file is unchanged then.
    package func save(_ states: [EndpointID: Reachability]) async throws {
        try await file.save { ReachabilityFile(states).bytes }
    }
}
