// SPDX-License-Identifier: Apache-2.0

/// The text of `/proc/net/tcp` or `/proc/net/tcp6`.
struct TCPTable {
    /// The longest table that is read. Only an attacker has more sockets.
    static let maximumBytes = 8 << 20
    private static let listening = "0A"
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The owner of one end of a connection; `.none` if the table has no such row.
    func owner(of end: TCPConnection) -> SocketOwner {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10).map { Substring($0) }
            guard fields.count > 9, fields[3] != Self.listening,
                Self.isSame(fields[1], end.address, end.port), Self.isSame(fields[2], end.otherAddress, end.otherPort),
                let uid = UInt32(fields[7]), let inode = UInt32(fields[9])
            else { continue }
            return SocketOwner(uid: uid, inode: inode)
        }
        return .none
    }

    /// - Parameter field: an address as words of four bytes in the machine's byte order, a colon and a port, in
    ///   hexadecimal.
    private static func isSame(_ field: Substring, _ address: [UInt8], _ port: UInt16) -> Bool {
        let parts = field.split(separator: ":")
        guard parts.count == 2, UInt16(parts[1], radix: 16) == port, let words = HexText.decode(String(parts[0])),
            words.count == 4 || words.count == 16
        else { return false }
        let bytes = stride(from: 0, to: words.count, by: 4).flatMap { start -> [UInt8] in
            let word = words[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return withUnsafeBytes(of: word) { Array($0) }
        }
        // A socket on [::] has IPv4 connections with mapped addresses.
        return bytes == address || bytes == mappedPrefix + address
    }
}
