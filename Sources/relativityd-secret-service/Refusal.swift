// SPDX-License-Identifier: Apache-2.0

import CSecret
import KeyringWire

/// Why there is no answer, with what the other side said about it.
struct Refusal: Error {
    let failure: KeyringFailure
    let detail: String

    init(_ failure: KeyringFailure, _ detail: String = "") {
        self.failure = failure
        self.detail = detail
    }

    /// Takes the error that a call of GLib left behind, and frees it.
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
            // It is known to the bus and does not start.
            case G_DBUS_ERROR_SPAWN_EXEC_FAILED.rawValue...G_DBUS_ERROR_SPAWN_NO_MEMORY.rawValue: .noService
            // The bus says so when the other end leaves before it has answered.
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
