// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

@testable import Credentials

/// Opens or seals a vault in a separate process, for tests that make libcrypto fail, search memory, or measure it.
///
///     format-probe open FILE KEY CALL early|late
///     format-probe seal CALL early|late
///     format-probe cost FILE...
///
/// `open` and `seal` print one line, OUTCOME CALLS BYTES, and wait for the end of their input before they exit. BYTES
/// is the memory that secrets still use in the arena.
@main
enum Probe {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("open", 5):
            guard let key = HexText.decode(arguments[2]) else { exit(2) }
            let bytes = try read(arguments[1])
            try fail(arguments[3...]) { arena in open(bytes, key, in: arena) }
        case ("seal", 3):
            try fail(arguments[1...]) { arena in sealed(in: arena) }
        case ("cost", 2...):
            try costs(Array(arguments[1...]))
        default:
            exit(2)
        }
    }

    private static func fail(_ choice: ArraySlice<String>, _ body: (SecretArena) -> String) throws {
        guard let crypto = FailingCrypto(), let call = choice.first.flatMap(Int.init) else { exit(3) }
        let arena = try SecretArena()
        let (outcome, calls) = crypto.run(failing: call, late: choice.last == "late") { body(arena) }
        write("\(outcome) \(calls) \(arena.byteCount - arena.freeByteCount)\n")
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) > 0 {}
    }

    /// - Returns: `opened`, or the stage and the fault: `vault:payload`, `password:entry`.
    private static func open(_ bytes: [UInt8], _ key: [UInt8], in arena: SecretArena) -> String {
        let vault: OpenVault
        do throws(CredentialError) {
            let secret = try translated(SharedSecret(try Secret(copying: key, in: arena)))
            vault = try OpenVault.open(
                try VaultFile(parsing: bytes),
                kind: .credentialsDirectory,
                secret: secret,
                in: arena
            )
        } catch {
            return "vault:\(word(for: error))"
        }
        do throws(CredentialError) {
            let entry = vault.payload.entries[0]
            guard let pinned = vault.payload.pins.first(where: { $0.endpoint == entry.endpoint }) else {
                return "no-pin"
            }
            _ = try vault.password(of: entry, pin: pinned.pin)
            return "opened"
        } catch {
            return "password:\(word(for: error))"
        }
    }

    /// Tries to open each file with a passphrase. Prints the fault of each and, last, the peak of memory in KiB.
    private static func costs(_ paths: [String]) throws {
        let arena = try SecretArena()
        for path in paths {
            let passphrase = SharedSecret(try Secret(copying: Array("any".utf8), in: arena))
            do throws(CredentialError) {
                _ = try OpenVault.open(
                    try VaultFile(parsing: try read(path)),
                    kind: .passphrase,
                    secret: passphrase,
                    in: arena
                )
                write("opened\n")
            } catch {
                write("\(word(for: error))\n")
            }
        }
        write("\(peakKiB)\n")
    }

    /// The peak of this program's memory. getrusage(2) would include that of the process that started it.
    private static var peakKiB: Int {
        let status = (try? read("/proc/self/status")) ?? []
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? .max
    }

    static func word(for error: CredentialError) -> String {
        switch error {
        case .damaged(.slot): "slot"
        case .damaged(let damage): "\(damage)".split(separator: " ").joined(separator: "-")
        case .wrongKey: "wrong-key"
        case .storage(.crypto): "crypto"
        default: "unexpected"
        }
    }

    private static func read(_ path: String) throws(CredentialError) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw .noVault(path: path) }
        return Array(bytes[..<count])
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
