// SPDX-License-Identifier: Apache-2.0

/// What a server says of itself on the link.
package struct Announcement: Sendable, Hashable {
    /// The name it would like; another one is chosen when it is taken. 1 to 63 bytes.
    package var name: String
    /// A service type such as `_http._tcp`.
    package var type: String
    package var port: UInt16
    /// TXT strings in wire order, each 1 to 255 bytes, 1,300 bytes in all; what is more is left out from the end.
    package var txt: [[UInt8]]

    package init(name: String, type: String, port: UInt16, txt: [[UInt8]] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
    }

    var record: TXTRecord { TXTRecord(txt) }
}
