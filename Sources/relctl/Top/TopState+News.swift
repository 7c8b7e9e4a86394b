// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

extension TopState {
    /// - Throws: `JSONShapeError`
    mutating func take(_ reply: JSONObject, of call: TopCall) throws {
        switch call {
        case .watch: takeServers(try RegistryAPI.WatchReply(json: reply))
        case .watchAdapters: takeAdapters(try BrokerAPI.WatchReply(json: reply))
        case .probe(let id):
            running.remove(call)
            let probe = try RegistryAPI.ProbeReply(json: reply).probe
            let reason = probe.reason?.text ?? Printable("")
            note("probe", [name(of: id), "\(probe.outcome.rawValue), \(probe.milliseconds) ms", reason], probe.tone)
        case .setHidden:
            // What becomes of it the watch tells.
            running.remove(call)
        case .openAdapter:
            running.remove(call)
            let adapter = try BrokerAPI.OpenReply(json: reply).adapter
            note("adapter", [adapter.socketPath ?? adapter.url], .good)
        }
    }

    private func name(of id: String) -> String { list.endpoints[id]?.name ?? id }

    private mutating func takeServers(_ news: RegistryAPI.WatchReply) {
        switch (news.kind, news.endpoint) {
        case (.snapshot, _):
            let all = news.endpoints ?? []
            if revision == nil {
                note("watching", ["\(Counted(all.count, "server"))"])
            } else {
                compare(with: all)
            }
            list.replaceAll(all)
        case (.removed, let endpoint?):
            list.drop(endpoint.id)
            note("removed", [endpoint.name])
        case (.added, let endpoint?), (.changed, let endpoint?): tell(endpoint, after: list.put(endpoint))
        case (.resumed, _), (_, nil): break
        }
        revision = news.revision
        if case .away = link { note("back", ["the daemon answers again"], .good) }
        link = .live
    }

    /// What has happened while nobody was told.
    private mutating func compare(with all: [RegistryAPI.Endpoint]) {
        let ids = Set(all.map(\.id))
        for gone in list.endpoints.values where !ids.contains(gone.id) { note("removed", [gone.name]) }
        for endpoint in all where list.endpoints[endpoint.id] != endpoint {
            tell(endpoint, after: list.endpoints[endpoint.id])
        }
    }

    private mutating func tell(_ endpoint: RegistryAPI.Endpoint, after old: RegistryAPI.Endpoint?) {
        guard let old else { return note("added", [endpoint.name, endpoint.state.rawValue, endpoint.url]) }
        if old.hidden != endpoint.hidden { return note(endpoint.hidden ? "hidden" : "unhidden", [endpoint.name]) }
        guard old.state != endpoint.state else { return note("changed", [endpoint.name, endpoint.url]) }
        note(endpoint.state.rawValue, [endpoint.name, endpoint.stateReason?.text ?? Printable("")], endpoint.tone)
    }

    private mutating func takeAdapters(_ news: BrokerAPI.WatchReply) {
        if let all = news.adapters { return adapters.replaceAll(all) }
        guard let adapter = news.adapter else { return }
        let facts: [any Fact] = [adapter.endpointName ?? adapter.id, adapter.login ?? "without a login"]
        if news.kind == "ended" {
            adapters.drop(adapter.id)
            note("ended", facts + [Printable(again: news.message ?? "")])
        } else {
            adapters.put(adapter)
            note(news.kind == "opened" ? "opened" : "adapter", facts)
        }
    }
}

extension RegistryAPI.Endpoint {
    /// How its state is to be taken.
    var tone: TopNote.Tone {
        switch state {
        case .reachable: .good
        case .unreachable: .warning
        case .conflict: .bad
        case .unknown, .announced, .stale: .plain
        }
    }
}

extension RegistryAPI.Probe {
    fileprivate var tone: TopNote.Tone {
        switch outcome {
        case .reachable: .good
        case .unreachable: .warning
        case .conflict: .bad
        }
    }
}
