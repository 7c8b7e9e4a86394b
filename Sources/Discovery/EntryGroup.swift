// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

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
