// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import JSON
import LocalAPI
import Locks
import NIOCore
import Registry
import VarlinkService

/// Cache of replies that contain endpoints. Each is serialized once: the list until something changes, and a change for
/// all watchers.
final class EndpointReplies: Sendable {
    private struct Kept {
        var list: (edition: ListEdition, reply: ReadyReply)?
        var lettingGo: Scheduled<Void>?
        /// Completed when the list that is being serialized is finished.
        var serializing: EventLoopFuture<Void>?
        var change: (revision: UInt64, reply: ReadyReply)?
    }

    private let registry: EndpointRegistry
    private let loop: any EventLoop
    private let patience: TimeAmount
    private let kept = Lock(Kept())

    /// Makes a cache.
    ///
    /// - Parameter patience: how long the list is kept after a request, so that repeated calls of scripts and users are
    ///   fast. Its text takes a fifth of the memory of the endpoints.
    init(registry: EndpointRegistry, loop: any EventLoop, patience: TimeAmount = .seconds(2)) {
        self.registry = registry
        self.loop = loop
        self.patience = patience
    }

    var isListKept: Bool { kept.withLock { $0.list != nil } }

    /// The reply to `List`. Its text is released when no client has requested it for a while.
    func list() async -> ReadyReply {
        if let reply = await currentList() { return reply }
        let finished = loop.makePromise(of: Void.self)
        defer { finished.succeed() }
        let earlier = kept.withLock { kept in
            defer { kept.serializing = finished.futureResult }
            return kept.serializing
        }
        // One text at a time is in memory. These promises never fail.
        try? await earlier?.get()
        if let reply = await currentList() { return reply }
        let (made, endpoints) = await registry.list
        let reply = ReadyReply(text: await text(of: endpoints, after: "\"revision\":\(made.revision)"))
        keep(reply, of: made)
        return reply
    }

    private func currentList() async -> ReadyReply? {
        let edition = await registry.edition
        guard let reply = kept.withLock({ $0.list?.edition == edition ? $0.list?.reply : nil }) else { return nil }
        keep(reply, of: edition)
        return reply
    }

    private func keep(_ reply: ReadyReply, of edition: ListEdition) {
        let timer = loop.scheduleTask(in: patience) { self.kept.withLock { $0.list = nil } }
        let earlier = kept.withLock { kept in
            kept.list = (edition, reply)
            defer { kept.lettingGo = timer }
            return kept.lettingGo
        }
        earlier?.cancel()
    }

    /// The length of most endpoints as text.
    private static let usualBytes = 640
    /// How many endpoints are made and serialized in one turn of the loop, which takes a few milliseconds.
    private static let endpointsPerTurn = 500

    /// An object with a list of endpoints as JSON text, serialized endpoint by endpoint. A tree of JSON values for a list
    /// of 1,000 would take several times its length, and fragment the heap.
    ///
    /// - Parameter members: the text before the list in its object.
    private func text(of list: EndpointList, after members: String) async -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(members.utf8.count + Self.usualBytes * (list.ids.count + 1))
        text += "{\(members),\"endpoints\":[".utf8
        for (number, id) in list.ids.enumerated() {
            if number > 0, number.isMultiple(of: Self.endpointsPerTurn) { await loop.yieldTurn() }
            guard let endpoint = list[id] else { continue }
            if text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
            RegistryAPI.Endpoint(endpoint).serialize(into: &text)
        }
        text += "]}".utf8
        return text
    }

    /// One of the replies to `Watch`.
    func reply(to update: RegistryUpdate) async -> ReadyReply {
        switch update {
        case .resumed(let revision):
            return ReadyReply(RegistryAPI.WatchReply(kind: .resumed, revision: Int64(revision)), continues: true)
        case .snapshot(let revision, let endpoints):
            let members = "\"kind\":\"snapshot\",\"revision\":\(revision)"
            return ReadyReply(text: await text(of: endpoints, after: members), continues: true)
        case .change(let revision, let change):
            // All watchers get the same text, usually one right after another.
            return kept.withLock { kept in
                if let (last, reply) = kept.change, last == revision { return reply }
                let reply = ReadyReply(RegistryAPI.WatchReply(change, revision), continues: true)
                kept.change = (revision, reply)
                return reply
            }
        }
    }
}

extension RegistryAPI.WatchReply {
    fileprivate init(_ change: RegistryChange, _ revision: UInt64) {
        let kind: Kind =
            switch change {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            }
        self.init(kind: kind, revision: Int64(revision), endpoint: RegistryAPI.Endpoint(change.endpoint))
    }
}
