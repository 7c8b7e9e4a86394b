// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
package import Endpoints

/// Announces one service through avahi-daemon. Chooses another name if its own is taken, and announces again whenever
/// avahi-daemon returns. Runs on Avahi's thread, so no other code awaits it.
package actor AvahiPublisher: AvahiUser {
    nonisolated let loop: AvahiLoop
    private nonisolated let stream: AsyncStream<PublisherState>
    private nonisolated let continuation: AsyncStream<PublisherState>.Continuation

    private var announcement: Announcement
    /// The name in use. A collision changes it permanently.
    private var name: String
    var link = AvahiLink()
    private var group: EntryGroup?

    /// Avahi's thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a publisher. Nothing is announced before `start`.
    package init(_ announcement: Announcement, on loop: AvahiLoop) {
        self.announcement = announcement
        self.loop = loop
        name = announcement.name
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Announces the service. Call it once.
    ///
    /// - Returns: the states of the announcement. A slow reader receives only the newest one, and the stream may be
    ///   ignored.
    @discardableResult
    package nonisolated func start() -> AsyncStream<PublisherState> {
        run { $0.startLink() }
        return stream
    }

    /// Replaces the TXT strings without withdrawing the service.
    package nonisolated func update(txt: [[UInt8]]) {
        run { $0.change(txt: txt) }
    }

    /// Withdraws the service and ends the stream. Returns immediately. avahi-daemon sends a goodbye when it notices.
    package nonisolated func stop() {
        continuation.finish()
        run { $0.stopLink() }
    }
}

extension AvahiPublisher {
    func tell(_ state: SourceState) {
        if case .down(let fault) = state { continuation.yield(.unpublished(fault)) }
    }

    func begin() {}

    /// Announces the service once the host name is settled. While Avahi chooses the host name, no records may point to
    /// it.
    func hostName(isSettled: Bool) {
        if isSettled { announce() } else { withdraw() }
    }

    func lostConnections() { group = nil }

    private func announce() {
        guard let connection = link.connections.first else { return }
        do {
            if group == nil { group = try makeGroup(on: connection) }
            try group?.announce(announcement, as: name)
        } catch .avahi(DiscoveryError.collision) {
            rename()
        } catch {
            fail(error)
        }
    }

    private func makeGroup(on connection: AvahiConnection) throws(DiscoveryError) -> EntryGroup {
        let id = connection.id
        // Deferred, because a group must not be changed within its own callback.
        return try EntryGroup(on: connection) { report in
            self.loop.execute { self.reenter { $0.group(of: id, reports: report) } }
        }
    }

    private func group(of id: Int, reports report: EntryGroup.Report) {
        guard link.connections.first?.id == id else { return }
        switch report {
        case .established:
            link.succeeded()
            continuation.yield(.published(name: name))
        case .collision: rename()
        case .failed(let error): fail(error)
        }
    }

    private func rename() {
        guard let alternative = avahi_alternative_service_name(name) else {
            return fail(.avahi(code: DiscoveryError.noMemory))
        }
        defer { avahi_free(alternative) }
        name = String(cString: alternative)
        // Not a direct call: it would recurse once for each name that is taken.
        run { $0.announce() }
    }

    private func withdraw() {
        do {
            try group?.withdraw()
        } catch {
            fail(error)
        }
    }

    private func change(txt: [[UInt8]]) {
        announcement.txt = txt
        do {
            try group?.update(announcement, as: name)
        } catch {
            fail(error)
        }
    }
}

/// The state of an announcement.
package enum PublisherState: Sendable, Hashable {
    /// The service is announced.
    ///
    /// - Parameter name: the preferred name, or the one that was chosen because the preferred name is taken.
    case published(name: String)
    case unpublished(SourceFault)
}

/// The service that a server announces on the link.
package struct Announcement: Sendable, Hashable {
    /// The preferred name, of 1 to 63 bytes. If it is taken, another one is chosen.
    package var name: String
    /// A service type such as `_http._tcp`.
    package var type: String
    /// The TCP port of the service.
    package var port: UInt16
    /// TXT strings in wire order, each of 1 to 255 bytes, 1,300 bytes in all. Strings beyond that are left out, from
    /// the end.
    package var txt: [[UInt8]]

    /// An announcement with these values.
    package init(name: String, type: String, port: UInt16, txt: [[UInt8]] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
    }

    var record: TXTRecord { TXTRecord(txt) }
}

/// An entry group of Avahi that announces one service.
final class EntryGroup {
    private let connection: AvahiConnection
    private let group: OpaquePointer
    private let callback: Callback<Report>

    enum Report: Sendable {
        case established
        case collision
        case failed(DiscoveryError)
    }

    /// Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread.
    init(
        on connection: AvahiConnection,
        report: @escaping @Sendable (Report) -> Void
    ) throws(DiscoveryError) {
        self.connection = connection
        callback = Callback(report)
        let group = avahi_entry_group_new(
            connection.client,
            { group, state, userdata in
                guard let report = EntryGroup.report(of: state, group) else { return }
                Callback.deliver(report, to: userdata)
            },
            callback.userdata
        )
        guard let group else { throw connection.lastError }
        self.group = group
    }

    /// Replaces the announcement of the group. Blocks for several D-Bus calls.
    ///
    /// - Throws: `DiscoveryError.avahi` with the code of a collision if this machine already announces that name.
    func announce(_ announcement: Announcement, as name: String) throws(DiscoveryError) {
        try check(avahi_entry_group_reset(group))
        try check(
            announcement.record.withAvahiList { list in
                avahi_entry_group_add_service_strlst(
                    group,
                    AvahiIfIndex(AVAHI_IF_UNSPEC),
                    AvahiProtocol(AVAHI_PROTO_UNSPEC),
                    AvahiPublishFlags(0),
                    name,
                    announcement.type,
                    nil,
                    nil,
                    announcement.port,
                    list
                )
            }
        )
        try check(avahi_entry_group_commit(group))
    }

    /// Announces another TXT record for the same service, without a goodbye.
    func update(_ announcement: Announcement, as name: String) throws(DiscoveryError) {
        try check(
            announcement.record.withAvahiList { list in
                avahi_entry_group_update_service_txt_strlst(
                    group,
                    AvahiIfIndex(AVAHI_IF_UNSPEC),
                    AvahiProtocol(AVAHI_PROTO_UNSPEC),
                    AvahiPublishFlags(0),
                    name,
                    announcement.type,
                    nil,
                    list
                )
            }
        )
    }

    /// Ends the announcement. The group can announce again.
    func withdraw() throws(DiscoveryError) {
        try check(avahi_entry_group_reset(group))
    }

    private func check(_ status: Int32) throws(DiscoveryError) {
        if status < 0 { throw .avahi(code: status) }
    }

    private static func report(of state: AvahiEntryGroupState, _ group: OpaquePointer?) -> Report? {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            return .established
        case AVAHI_ENTRY_GROUP_COLLISION:
            return .collision
        case AVAHI_ENTRY_GROUP_FAILURE:
            let client = group.flatMap { avahi_entry_group_get_client($0) }
            return .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
        default:
            return nil
        }
    }
}
