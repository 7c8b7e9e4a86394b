// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// Announces one service through avahi-daemon, under another name when its own is taken, and again whenever avahi-daemon
/// comes back. Runs on Avahi's thread; nothing outside awaits it.
package actor AvahiPublisher: AvahiUser {
    nonisolated let loop: AvahiLoop
    private nonisolated let stream: AsyncStream<PublisherState>
    private nonisolated let continuation: AsyncStream<PublisherState>.Continuation

    private var announcement: Announcement
    /// The name in use: a collision changes it for good.
    private var name: String
    var link = AvahiLink()
    private var group: EntryGroup?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ announcement: Announcement, on loop: AvahiLoop) {
        self.announcement = announcement
        self.loop = loop
        name = announcement.name
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Announces the service. To be called once.
    ///
    /// - Returns: how it goes. A slow reader sees the newest state only; nobody needs to read it.
    @discardableResult
    package nonisolated func start() -> AsyncStream<PublisherState> {
        run { $0.startLink() }
        return stream
    }

    /// Announces other TXT strings, in place.
    package nonisolated func update(txt: [[UInt8]]) {
        run { $0.change(txt: txt) }
    }

    /// Withdraws the service (a goodbye goes out when avahi-daemon notices) and ends the stream. Returns at once.
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

    /// While the host name is being settled, the records that point to it must not be out.
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
        // Later: a group must not be changed from within its own callback.
        return try EntryGroup(on: connection) { report in
            self.loop.execute { self.reenter { $0.group(of: id, reports: report) } }
        }
    }

    private func group(of id: Int, reports report: EntryGroup.Report) {
        guard link.connections.first?.id == id else { return }
        switch report {
        case .established:
            link.state.succeeded()
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
        // Not by a call: a machine full of such names would make the stack deep.
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
