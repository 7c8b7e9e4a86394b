// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Fuzzing
import JSON

/// The content of an announcement: a name, a host and TXT strings of any bytes, split at zero bytes in this order.
/// Untrusted text must be escaped when it is shown. A shown address must parse again, as a host name or as the resolved
/// address.
@main
enum AnnouncementFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        guard let found = IPAddress("10.0.0.7"), let name = parts.first else { return }
        let instance = ServiceInstance(nameBytes: name, type: "_a._tcp", domain: "local")
        let other = ServiceInstance(nameBytes: name + [0xFF], type: "_a._tcp", domain: "local")
        guard instance != other, instance.nameBytes == name else { fatalError("two names have become one") }

        let text = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
        let host = ServerHost(announced: text, at: found, interface: "eth0")
        if case .address(let address, _) = host, address != found { fatalError("a host name stands for an address") }
        let url = ServerURL(scheme: .http, host: host, port: 7_099, path: ServerURL.usualPath)
        guard (try? ServerURL(completing: url.description)) == url else { fatalError("a URL does not read back") }

        for part in parts {
            check(Printable(bytes: part, columns: 80).description)
            let value = JSONValue.string(String(decoding: part, as: UTF8.self))
            let written = value.serialized()
            guard !written.contains(where: { $0 < 0x20 }), (try? JSONValue(parsing: written)) == value else {
                fatalError("JSON does not read back")
            }
        }
    }
}

private func check(_ shown: String) {
    let isSafe = shown.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        default: true
        }
    }
    guard isSafe, Printable.width(of: shown) <= 80 else { fatalError("text that is not safe to show") }
}
