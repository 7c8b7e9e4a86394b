// SPDX-License-Identifier: Apache-2.0

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
