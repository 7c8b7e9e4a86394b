// SPDX-License-Identifier: Apache-2.0

import CSecret
import Glibc
import Platform

/// The dialogue with the daemon: a question on standard input, replies on standard output.
enum Exchange {
    /// Reads the question.
    ///
    /// - Throws: `Refusal` with `.badQuestion` if it is incomplete or invalid.
    static func question() throws(Refusal) -> KeyringQuestion {
        var head = [UInt8](repeating: 0, count: KeyringQuestion.byteCount)
        let isWhole = head.withUnsafeMutableBytes { read(all: $0) }
        guard isWhole, let question = KeyringQuestion(head) else { throw Refusal(.badQuestion) }
        return question
    }

    /// Reads the bytes to store.
    ///
    /// - Returns: the bytes that follow the question; empty unless it is a `store`.
    static func body(of question: KeyringQuestion) throws(Refusal) -> Secret {
        let body = try body(byteCount: question.bodyByteCount)
        guard body.count == question.bodyByteCount else { throw Refusal(.badQuestion) }
        return body
    }

    private static func body(byteCount: Int) throws(Refusal) -> Secret {
        do throws(PlatformError) {
            let arena = try SecretArena(byteCount: KeyringItem.maximumByteCount)
            return try Secret(capacity: byteCount, in: arena) { room in read(all: room) ? room.count : 0 }
        } catch {
            throw Refusal(.helper, error.description)
        }
    }

    /// Reports to the daemon that the user is being prompted.
    static func reportPrompt() {
        KeyringReply.asking.bytes.withUnsafeBytes { write(all: $0) }
    }

    /// Sends the result: the bytes that were looked up, or none.
    static func finish(with answer: consuming StoredBytes?) {
        guard let answer else {
            KeyringReply.done(byteCount: 0).bytes.withUnsafeBytes { write(all: $0) }
            return
        }
        answer.withBytes { bytes in
            KeyringReply.done(byteCount: bytes.count).bytes.withUnsafeBytes { write(all: $0) }
            write(all: bytes)
        }
    }

    /// Sends the reason of a failure.
    static func fail(_ refusal: Refusal) {
        let detail = Array(refusal.detail.utf8.prefix(KeyringReply.maximumDetailByteCount))
        let reply = KeyringReply.failed(refusal.failure, detailByteCount: detail.count).bytes + detail
        reply.withUnsafeBytes { write(all: $0) }
    }

    private static func read(all room: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = Glibc.read(STDIN_FILENO, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }

    /// Stops without an error if the daemon no longer reads.
    private static func write(all bytes: UnsafeRawBufferPointer) {
        _ = OpenFile.writeAll(bytes, to: STDOUT_FILENO)
    }
}

/// The reason of a failure, with the text that the Secret Service gave for it.
struct Refusal: Error {
    let failure: KeyringFailure
    let detail: String

    init(_ failure: KeyringFailure, _ detail: String = "") {
        self.failure = failure
        self.detail = detail
    }

    /// Converts the error of a GLib call, and frees it.
    init(consuming error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(.refused)
            return
        }
        defer { g_error_free(error) }
        g_dbus_error_strip_remote_error(error)
        let detail = error.pointee.message.map { String(cString: $0) } ?? ""
        self.init(Self.failure(domain: error.pointee.domain, code: UInt32(bitPattern: error.pointee.code)), detail)
    }

    private static func failure(domain: GQuark, code: UInt32) -> KeyringFailure {
        switch domain {
        case secret_error_get_quark():
            switch code {
            case SECRET_ERROR_IS_LOCKED.rawValue: .locked
            case SECRET_ERROR_NO_SUCH_OBJECT.rawValue: .notFound
            default: .refused
            }
        case g_dbus_error_quark():
            switch code {
            case G_DBUS_ERROR_SERVICE_UNKNOWN.rawValue, G_DBUS_ERROR_NAME_HAS_NO_OWNER.rawValue: .noService
            // The service is known to the bus but does not start.
            case G_DBUS_ERROR_SPAWN_EXEC_FAILED.rawValue...G_DBUS_ERROR_SPAWN_NO_MEMORY.rawValue: .noService
            // The bus reports this if the peer disconnects before it has answered.
            case G_DBUS_ERROR_NO_REPLY.rawValue, G_DBUS_ERROR_DISCONNECTED.rawValue: .vanished
            case G_DBUS_ERROR_TIMEOUT.rawValue, G_DBUS_ERROR_TIMED_OUT.rawValue: .noAnswer
            case G_DBUS_ERROR_UNKNOWN_OBJECT.rawValue: .notFound
            default: .refused
            }
        case g_io_error_quark():
            switch code {
            case G_IO_ERROR_TIMED_OUT.rawValue: .noAnswer
            case G_IO_ERROR_CANCELLED.rawValue: .dismissed
            case G_IO_ERROR_CLOSED.rawValue, G_IO_ERROR_CONNECTION_CLOSED.rawValue: .vanished
            default: .refused
            }
        default: .refused
        }
    }
}
