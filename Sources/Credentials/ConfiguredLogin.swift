// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// What the administrator wrote about one login: everything but the password.
struct ConfiguredLogin: Sendable, Hashable {
    let url: ServerURL
    let user: String
    let domain: String
    let schema: String
    let userKey: UserKey
    let extras: [LoginExtra]
    let pin: Pin
    let allowsPlaintext: Bool
    /// 32 bytes; nil for a network that has no id.
    let networkID: [UInt8]?
    /// The zone of a link-local address.
    let interface: String?

    init(_ text: ConfiguredLoginText) throws(ConfiguredLoginFault) {
        let values = text.values
        func required(_ key: ConfiguredLoginText.Key) throws(ConfiguredLoginFault) -> ConfiguredLoginText.Value {
            guard let value = values[key] else {
                throw ConfiguredLoginFault(reason: "there is no \(key.rawValue)= line")
            }
            return value
        }
        url = try Self.url(try required(.url))
        user = try required(.user).text
        domain = values[.domain]?.text ?? ""
        schema = values[.schema]?.text ?? ""
        userKey = try values[.userKey].map(Self.userKey) ?? .userID
        extras = try Self.extras(text.extras)
        pin = try Self.pin(try required(.pin), of: url)
        interface = if case .address(_, let zone) = url.host, pin.isLinkLocal { zone } else { nil }
        allowsPlaintext = try values[.allowPlaintext].map(Self.isYes) ?? false
        networkID = try values[.network].map { value throws(ConfiguredLoginFault) in try Self.digest(value) }
        if pin.strength.isEncrypted, let value = values[.allowPlaintext] {
            throw ConfiguredLoginFault(line: value.line, reason: "allow_plaintext is for plain HTTP only")
        }
        guard PlaintextRule(pin, PlaintextPermission(user: allowsPlaintext ? .here : .none)).refusal() == nil else {
            throw ConfiguredLoginFault(reason: "plain HTTP needs allow_plaintext=yes")
        }
        if pin.strength != .address, let value = values[.network] {
            throw ConfiguredLoginFault(line: value.line, reason: "network is for plain HTTP to another machine only")
        }
    }

    private static func url(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> ServerURL {
        do throws(ServerURLError) {
            return try ServerURL(completing: value.text)
        } catch {
            throw ConfiguredLoginFault(line: value.line, reason: "\(error)")
        }
    }

    private static func userKey(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> UserKey {
        guard let key = UserKey(rawValue: value.text) else {
            let names = UserKey.allCases.map(\.rawValue).joined(separator: " or ")
            throw ConfiguredLoginFault(line: value.line, reason: "user_key is \(names)")
        }
        return key
    }

    private static func extras(_ values: [ConfiguredLoginText.Value]) throws(ConfiguredLoginFault) -> [LoginExtra] {
        let extras = values.map { value in
            let parts = value.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            return LoginExtra(key: parts[0], value: parts.count == 2 ? parts[1] : "")
        }
        do throws(CredentialError) {
            try LoginExtra.check(extras)
        } catch {
            throw ConfiguredLoginFault(line: values.last?.line, reason: "\(error)")
        }
        return extras
    }

    private static func isYes(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> Bool {
        switch value.text {
        case "yes": return true
        case "no": return false
        default: throw ConfiguredLoginFault(line: value.line, reason: "allow_plaintext is yes or no")
        }
    }

    private static func digest(_ value: ConfiguredLoginText.Value) throws(ConfiguredLoginFault) -> [UInt8] {
        guard let bytes = HexText.decode(value.text), bytes.count == SHA256.byteCount else {
            throw ConfiguredLoginFault(line: value.line, reason: "this is not 64 hexadecimal digits")
        }
        return bytes
    }

    /// The pin whose fingerprint the administrator wrote. That of plain HTTP follows from the address: it is compared. That
    /// of an authority follows from the host, and `ca` stands for it.
    private static func pin(
        _ value: ConfiguredLoginText.Value,
        of url: ServerURL
    ) throws(ConfiguredLoginFault) -> Pin {
        guard url.scheme == .http else {
            let authority = Pin.authority(of: url.host)
            if value.text == ServerTrust.authority.rawValue {
                guard let authority else {
                    throw ConfiguredLoginFault(line: value.line, reason: "no certificate is for a link-local address")
                }
                return authority
            }
            let fingerprint = try digest(value)
            if let authority, (try? SHA256.digest(of: authority.canonicalRecord)) == fingerprint { return authority }
            return .tls(spkiSHA256: fingerprint)
        }
        let fingerprint = try digest(value)
        guard case .address(let address, _) = url.host else {
            throw ConfiguredLoginFault(reason: "plain HTTP can only be pinned to an address, not to a name")
        }
        let pin = Pin.plain(address, port: url.port)
        guard let expected = try? SHA256.digest(of: pin.canonicalRecord), expected == fingerprint else {
            throw ConfiguredLoginFault(
                line: value.line,
                reason: "this is not the fingerprint of plain HTTP at \(address) port \(url.port)"
            )
        }
        return pin
    }
}
