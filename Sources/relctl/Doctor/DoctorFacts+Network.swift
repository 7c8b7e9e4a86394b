// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

extension DoctorFacts.Interface {
    /// All of this machine, by name.
    static var all: [Self] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String: Self] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee else { break }
            let flags = entry.ifa_flags
            let name = String(cString: entry.ifa_name)
            var interface =
                found[name]
                ?? Self(
                    name: name,
                    isLoopback: flags & UInt32(IFF_LOOPBACK) != 0,
                    isUp: flags & UInt32(IFF_UP) != 0,
                    isRunning: flags & UInt32(IFF_RUNNING) != 0,
                    takesMulticast: flags & UInt32(IFF_MULTICAST) != 0,
                    addresses: 0
                )
            let family = entry.ifa_addr.map { Int32($0.pointee.sa_family) }
            if family == AF_INET || family == AF_INET6 { interface.addresses += 1 }
            if family == AF_INET { interface.hasIPv4 = true }
            found[name] = interface
        }
        return found.values.sorted { $0.name < $1.name }
    }
}

extension DoctorFacts.MulticastSocket {
    private static let largestTable = 4 << 20
    /// In the kernel's tables.
    private static let port = ":14E9"

    /// Whose sockets are bound to UDP port 5353.
    static var all: Set<Self> {
        var users: [String: UInt32] = [:]
        for path in ["/proc/net/udp", "/proc/net/udp6"] {
            let table = TextFile.read(path, maximumBytes: largestTable) ?? ""
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 9, fields[1].hasSuffix(port), let user = UInt32(fields[7]) else { continue }
                users[String(fields[9])] = user
            }
        }
        let programs = programs(ofSockets: Set(users.keys))
        return Set(users.map { inode, user in Self(user: UserName.of(user), program: programs[inode]) })
    }

    /// The names of the programs that hold sockets, as far as we may see them.
    private static func programs(ofSockets inodes: Set<String>) -> [String: String] {
        guard !inodes.isEmpty else { return [:] }
        var found: [String: String] = [:]
        for process in DirectoryNames.of("/proc") where process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            for descriptor in DirectoryNames.of("/proc/\(process)/fd") {
                let target = destination(of: "/proc/\(process)/fd/\(descriptor)")
                guard target.hasPrefix("socket:["), inodes.contains(String(target.dropFirst(8).dropLast())) else {
                    continue
                }
                let name = TextFile.read("/proc/\(process)/comm", maximumBytes: 64)
                found[String(target.dropFirst(8).dropLast())] = name.map { String($0.prefix { $0 != "\n" }) }
            }
        }
        return found
    }

    private static func destination(of link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
