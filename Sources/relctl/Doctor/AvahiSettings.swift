// SPDX-License-Identifier: Apache-2.0

/// What in avahi-daemon.conf(5) keeps announcements from being heard.
struct AvahiSettings: Equatable {
    static let path = "/etc/avahi/avahi-daemon.conf"
    /// Larger files are not Avahi's.
    static let maximumBytes = 64 << 10

    /// The only interfaces that Avahi uses; nil for all.
    var allowed: [String]?
    var denied: [String] = []
    var usesIPv4 = true

    init() {}

    /// - Parameter text: the file; what is not understood counts as not said.
    init(_ text: String) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0.isWhitespace }
            if line.hasPrefix("[") { section = String(line.prefix { $0 != "]" }) }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard section == "[server", parts.count == 2 else { continue }
            switch parts[0] {
            case "allow-interfaces": allowed = parts[1].split(separator: ",").map(String.init)
            case "deny-interfaces": denied = parts[1].split(separator: ",").map(String.init)
            case "use-ipv4": usesIPv4 = parts[1] != "no"
            default: continue
            }
        }
    }

    /// Whether Avahi listens on an interface.
    func uses(_ interface: String) -> Bool {
        !denied.contains(interface) && allowed?.contains(interface) != false
    }
}
