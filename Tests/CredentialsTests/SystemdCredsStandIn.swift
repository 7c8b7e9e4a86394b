// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Locks
import Platform
import TestSupport

@testable import Credentials

/// A stand-in for systemd's credentials service: the same interface, with a trivial encryption, and faults on demand.
final class SystemdCredsStandIn: Sendable {
    enum Fault: Sendable, Hashable, CaseIterable {
        case noInterface, silent, hangsUp, notJSON, twoReplies, endless, noMember, memberTwice
        case otherKey, shortKey, longKey, notBase64
    }

    private struct Behaviour {
        var fault: Fault?
        var error: String?
        /// The method to which the fault or error is limited.
        var method = ""
        var calls: [String] = []
    }

    struct NoSocket: Error {}

    let path: String
    private let listener: Int32
    private let behaviour = Lock(Behaviour())

    init(at path: String) throws {
        self.path = path
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listener, 16) == 0 else { throw NoSocket() }
        BlockingWork.start { [self] in
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                serve(peer)
                close(peer)
            }
        }
    }

    /// Ends the service. The socket's file remains, as after a crash.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    func behave(_ fault: Fault? = nil, error: String? = nil, at method: String = "Decrypt") {
        behaviour.withLock { ($0.fault, $0.error, $0.method) = (fault, error, method) }
    }

    var calls: [String] { behaviour.withLock { $0.calls } }

    private func serve(_ peer: Int32) {
        var received: [UInt8] = []
        while true {
            guard let end = received.firstIndex(of: 0) else {
                var chunk = [UInt8](repeating: 0, count: 4096)
                let count = recv(peer, &chunk, chunk.count, 0)
                guard count > 0 else { return }
                received += chunk[..<count]
                continue
            }
            guard let call = try? JSONValue(parsing: received[..<end]).objectValue,
                let reply = answer(call["method"]?.stringValue ?? "", call["parameters"]?.objectValue ?? [:])
            else { return }
            received.removeSubrange(...end)
            guard Self.send(reply, to: peer) else { return }
        }
    }

    /// - Returns: nil to close the connection.
    private func answer(_ name: String, _ parameters: JSONObject) -> [UInt8]? {
        let method = name.split(separator: ".").last.map(String.init) ?? ""
        let (fault, error) = behaviour.withLock { behaviour in
            behaviour.calls.append(method)
            return behaviour.method == method ? (behaviour.fault, behaviour.error) : (nil, nil)
        }
        if let error { return Self.frame(["error": .string(error), "parameters": [:]]) }
        switch method {
        case "GetInfo":
            let interface = fault == .noInterface ? "org.example.Other" : "io.systemd.Credentials"
            return Self.frame([
                "parameters": [
                    "vendor": "systemd", "product": "systemd", "version": "257", "url": "https://systemd.io/",
                    "interfaces": ["org.varlink.service", .string(interface)],
                ]
            ])
        case "Encrypt": return broken(by: fault, "blob", encrypt(parameters))
        case "Decrypt": return broken(by: fault, "data", decrypt(parameters))
        default: return nil
        }
    }

    private func broken(by fault: Fault?, _ member: String, _ value: String?) -> [UInt8]? {
        guard let value else {
            return Self.frame(["error": "io.systemd.Credentials.NameMismatch", "parameters": [:]])
        }
        func reply(_ text: String) -> [UInt8] { Self.frame(["parameters": [member: .string(text)]]) }
        let zeros = [UInt8](repeating: 0, count: 64)
        return switch fault {
        case nil, .noInterface: reply(value)
        // An incomplete frame: the caller waits until its deadline.
        case .silent: Array("{".utf8)
        case .hangsUp: nil
        case .notJSON: Array("\"\(member)\":\"\(value)\"\0".utf8)
        case .twoReplies: reply(value) + reply(value)
        case .endless: [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        case .noMember: Self.frame(["parameters": ["other": .string(value)]])
        case .memberTwice: Array("{\"parameters\":{\"\(member)\":\"\(value)\",\"\(member)\":\"\(value)\"}}\0".utf8)
        case .otherKey: reply(Self.base64(zeros[..<32]))
        case .shortKey: reply(Self.base64(zeros[..<31]))
        case .longKey: reply(Self.base64(zeros[..<64]))
        case .notBase64: reply(String(repeating: "=", count: 44))
        }
    }

    private func encrypt(_ parameters: JSONObject) -> String? {
        guard let binding = Self.binding(parameters), let data = parameters["data"]?.stringValue else { return nil }
        return Self.base64(Array("\(binding)|\(data)".utf8).map { $0 ^ 0x5A }[...])
    }

    private func decrypt(_ parameters: JSONObject) -> String? {
        guard let binding = Self.binding(parameters), let blob = parameters["blob"]?.stringValue else { return nil }
        var room = [UInt8](repeating: 0, count: blob.utf8.count)
        let count = Array(blob.utf8).withUnsafeBytes { text in
            room.withUnsafeMutableBytes { Base64.decode(text, into: $0) }
        }
        let plain = String(decoding: room.prefix(count ?? 0).map { $0 ^ 0x5A }, as: UTF8.self)
        guard plain.hasPrefix(binding + "|") else { return nil }
        return String(plain.dropFirst(binding.count + 1))
    }

    /// The binding of a credential; nil unless it is bound to this user.
    private static func binding(_ parameters: JSONObject) -> String? {
        guard parameters["scope"]?.stringValue == "user", parameters["uid"]?.integerValue == Int64(geteuid()),
            let name = parameters["name"]?.stringValue
        else { return nil }
        return name
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        var room = [UInt8](repeating: 0, count: Base64.encodedCount(of: bytes.count))
        bytes.withUnsafeBytes { bytes in room.withUnsafeMutableBytes { _ = Base64.encode(bytes, into: $0) } }
        return String(decoding: room, as: UTF8.self)
    }

    private static func frame(_ object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        object.serialize(into: &bytes)
        return bytes + [0]
    }

    private static func send(_ bytes: [UInt8], to peer: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
