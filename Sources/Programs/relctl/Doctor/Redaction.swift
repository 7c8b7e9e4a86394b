// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// Replaces names of users, machines and servers in a report. Equal texts get equal placeholders, so that a reader can
/// see which values belong together.
///
/// Only listed members are kept, so that a new member cannot leak by mistake. Sentences are kept, except for known
/// names and for parts that look like an address, a path, a quotation or a key.
struct Redaction {
    /// Members whose values are keywords of relativityd, versions or keys of a map.
    private static let plain: Set = [
        "check", "verdict", "version", "state", "vault", "origin", "scheme", "probe", "kind", "strength", "format",
        "error", "place", "places", "memory", "call", "event", "result", "code", "form", "chosenBy", "userKey",
        "serviceType",
    ]
    /// Members that are sentences with untrusted text in them.
    private static let sentences: Set = [
        "finding", "evidence", "remedy", "command", "problem", "missing",
    ]
    /// Members that may be or quote a server's own text, in which names cannot be recognised. A code next to them has
    /// the same information.
    private static let foreign: Set = ["detail"]
    /// Members that identify something of the user, with the kind of their placeholder. Their values are of no use to
    /// readers of the report.
    private static let kinds: [String: String] = [
        "name": "name", "endpointName": "name", "loginName": "login", "login": "login", "defaultLogin": "login",
        "logins": "login",
        "user": "user", "domain": "domain", "schema": "schema", "host": "host", "addresses": "address",
        "interfaces": "interface", "multicastInterfaces": "interface", "sources": "source", "source": "source",
        "endpoint": "id",
        "id": "id",
    ]
    private static let shortestName = 3
    /// Names that are the same on every machine.
    private static let common: Set = ["avahi", "lo", "DataService", "LoginService", "/bin"]
    /// Commands that appear as quotations in evidence.
    private static let quoted: Set = [
        "relctl hide", "relctl list --all", "relctl audit", "relctl login list",
    ]
    /// Units that appear in remedies.
    private static let units: Set = [
        "relativityd.service", "relativityd.socket", "avahi-daemon.service", "dbus.service", "dbus.socket",
        "systemd-resolved.service",
    ]
    /// Directories in which no name depends on a user or a machine.
    private static let publicPaths = ["/run/dbus/", "/run/avahi-daemon/", "/etc/avahi/", "/etc/systemd/"]

    /// Each replaced text with its placeholder.
    private var words: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(_ facts: DoctorFacts) {
        for endpoint in facts.endpoints {
            learn(endpoint.name, "name")
            learn(endpoint.host, "host")
            learn(endpoint.id, "id")
            for address in endpoint.addresses { learn(address, "address") }
        }
        for login in facts.logins.names { learn(login, "login") }
        if let standing = facts.logins.standing { learn(standing.name, "login") }
        for interface in facts.interfaces { learn(interface.name, "interface") }
        if let way = facts.way {
            learn(way.asked, "name")
            way.pin.map { learn($0.words, "text") }
        }
        learn(UserName.of(facts.user), "user")
        learn(Self.hostName, "host")
    }

    mutating func redacted(_ value: JSONValue) -> JSONValue { redacted(value, as: "") }

    private mutating func redacted(_ value: JSONValue, as member: String) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (key, value) in object { result[key] = redacted(value, as: key) }
            return .object(result)
        case .array(let values): return .array(values.map { redacted($0, as: member) })
        case .string(let text):
            if Self.plain.contains(member) { return .string(text) }
            if Self.foreign.contains(member) { return .string("\(Counted(text.utf8.count, "byte")) left out") }
            if Self.sentences.contains(member) { return .string(sentence(text)) }
            return .string(word(for: text, Self.kinds[member] ?? "text"))
        default: return value
        }
    }

    private mutating func learn(_ name: String, _ kind: String) { _ = word(for: name, kind) }

    /// Returns the placeholder of a text, which is the same for every member.
    private mutating func word(for text: String, _ kind: String) -> String {
        if let word = Self.common.contains(text) ? text : words[text] { return word }
        counts[kind, default: 0] += 1
        let word = "\(kind)-\(counts[kind] ?? 0)"
        words[text] = word
        return word
    }

    /// Returns a sentence with placeholders instead of names.
    private mutating func sentence(_ text: String) -> String {
        var text = text
        // Names before quotations, because a name may contain quotes; longest first, because a name may contain
        // another.
        let known = words.keys.filter { $0.utf8.count >= Self.shortestName }.sorted { $0.utf8.count > $1.utf8.count }
        for name in known {
            guard let word = words[name] else { continue }
            let printable = "\(Printable(name))"
            // As an argument of a command, a name has quotes, which stay around its placeholder.
            for form in [ShellWord.quote(name), ShellWord.quote(printable)] where form.hasPrefix("'") {
                text = text.replacing(form, with: "'\(word)'")
            }
            for form in [name, printable] { text = text.replacing(form, with: word) }
        }
        text = quotations(in: text)
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map { isTelling($0) ? word(for: String($0), "text") : String($0) }.joined(separator: " ")
    }

    /// Replaces text in single quotes, which is untrusted or a path.
    private mutating func quotations(in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "'") {
            guard let end = rest[rest.index(after: start)...].firstIndex(of: "'") else { break }
            let quoted = String(rest[rest.index(after: start)..<end])
            let isKept = Self.quoted.contains(quoted) || words.values.contains(quoted)
            result += rest[..<start] + "'" + (isKept ? quoted : word(for: quoted, "text")) + "'"
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Whether a word is not prose: an address, a path of a user, a key.
    private func isTelling(_ word: Substring) -> Bool {
        let bare = word.drop { "([\"".contains($0) }
        if bare.hasPrefix("/") { return !Self.publicPaths.contains { bare.hasPrefix($0) } }
        if bare.contains("://") || bare.contains("@") || bare.contains("\\") { return true }
        if Self.hasHost(bare) { return true }
        let digits = bare.utf8.count { (0x30...0x39).contains($0) }
        let isAddress = digits > 0 && (bare.utf8.count { $0 == 0x2E } >= 3 || bare.utf8.count { $0 == 0x3A } >= 2)
        return isAddress || (bare.utf8.count >= 20 && digits > 3)
    }

    /// Whether a word has letters after a dot, as in the name of a host or a file.
    private static func hasHost(_ word: Substring) -> Bool {
        let name = word.prefix { $0 != ":" && $0 != "," && $0 != ";" }
        guard let dot = name.lastIndex(of: "."), name[name.index(after: dot)...].first?.isLetter == true else {
            return false
        }
        return !units.contains(String(name))
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Formats a JSON value as indented lines, one for each member.
struct OutlineText {
    private(set) var text = ""

    init(_ value: JSONValue) { add(value, indent: "") }

    private mutating func add(_ value: JSONValue, indent: String) {
        switch value {
        case .object(let object):
            for (key, value) in object { add(key, value, indent: indent) }
        case .array(let values):
            for value in values { add("-", value, indent: indent) }
        default:
            text += "\(indent)\(Self.line(value))\n"
        }
    }

    private mutating func add(_ key: String, _ value: JSONValue, indent: String) {
        switch value {
        case .object, .array:
            text += "\(indent)\(Printable(key))\n"
            add(value, indent: indent + "  ")
        case .null: break
        default: text += "\(indent)\(Printable(key)): \(Self.line(value))\n"
        }
    }

    private static func line(_ value: JSONValue) -> String {
        "\(Printable(again: value.stringValue ?? value.text))"
    }
}
