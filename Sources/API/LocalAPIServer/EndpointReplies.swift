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
        let (made, list) = await registry.fold { edition, count in
            EndpointListText(after: "\"revision\":\(edition.revision)", count: count)
        } _: { list, endpoint in
            list.append(endpoint)
        }
        let reply = ReadyReply(text: list.finish())
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

    /// One of the replies to `Watch`. The text of a long list is made in several turns of the loop.
    func reply(to update: RegistryUpdate) async -> ReadyReply {
        switch update {
        case .resumed(let revision):
            return ReadyReply(RegistryAPI.WatchReply(kind: .resumed, revision: Int64(revision)), continues: true)
        case .snapshot(let revision, let endpoints):
            var list = EndpointListText(after: "\"kind\":\"snapshot\",\"revision\":\(revision)", count: endpoints.count)
            for (number, endpoint) in endpoints.enumerated() {
                if number > 0, number.isMultiple(of: EndpointRegistry.endpointsPerTurn) { await loop.yieldTurn() }
                list.append(endpoint)
            }
            return ReadyReply(text: list.finish(), continues: true)
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

/// A list of endpoints as JSON text, serialized endpoint by endpoint. A tree of JSON values for a list of 1,000 would
/// take several times its length, and fragment the heap.
struct EndpointListText: Sendable {
    /// The length of most endpoints as text.
    private static let usualBytes = 640

    private var text: [UInt8] = []
    private var isEmpty = true

    /// Starts the text.
    ///
    /// - Parameters:
    ///   - members: the text before the list in its object.
    ///   - count: the approximate number of endpoints.
    init(after members: String, count: Int) {
        text.reserveCapacity(members.utf8.count + Self.usualBytes * (count + 1))
        text += "{\(members),\"endpoints\":[".utf8
    }

    mutating func append(_ endpoint: Endpoint) {
        if !isEmpty { text.append(UInt8(ascii: ",")) }
        isEmpty = false
        RegistryAPI.Endpoint(endpoint).serialize(into: &text)
    }

    /// Returns the text of the complete object.
    consuming func finish() -> [UInt8] {
        text += "]}".utf8
        return text
    }
}
