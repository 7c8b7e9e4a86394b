// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Glibc

/// The system bus, asked itself: libavahi-client does not tell why it cannot reach avahi-daemon. Blocks, so on Avahi's thread
/// only.
enum SystemBus {
    private static let avahi = "org.freedesktop.Avahi"
    private static let patience: Int32 = 2_000

    /// Where the bus listens if it listens on a socket of the file system.
    static var socketPath: String {
        let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? ""
        let prefix = "unix:path="
        guard address.hasPrefix(prefix) else { return "/run/dbus/system_bus_socket" }
        return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
    }

    /// Why no connection to the bus can be made.
    static func whyUnreachable() -> DiscoveryError {
        do {
            try connected { _ in }
            // It has come meanwhile, and the next attempt will tell.
            return .noSystemBus
        } catch {
            return error
        }
    }

    /// Asks avahi-daemon a question that it answers at once, without starting it; waits for two seconds at most.
    static func askAvahi() throws(DiscoveryError) { try connected(askAvahi) }

    private static func connected(
        _ body: (OpaquePointer) throws(DiscoveryError) -> Void
    ) throws(DiscoveryError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
            throw DiscoveryError(connecting: name(of: error))
        }
        defer {
            dbus_connection_close(bus)
            dbus_connection_unref(bus)
        }
        // A lost bus would end the process otherwise.
        dbus_connection_set_exit_on_disconnect(bus, 0)
        try body(bus)
    }

    private static func askAvahi(on bus: OpaquePointer) throws(DiscoveryError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let call = dbus_message_new_method_call(avahi, "/", "org.freedesktop.Avahi.Server", "GetState")
        guard let call else { throw .avahi(code: DiscoveryError.noMemory) }
        defer { dbus_message_unref(call) }
        dbus_message_set_auto_start(call, 0)
        if let reply = dbus_connection_send_with_reply_and_block(bus, call, patience, &error) {
            dbus_message_unref(reply)
        } else {
            throw DiscoveryError(asking: name(of: error))
        }
    }

    private static func name(of error: DBusError) -> String {
        error.name.map { String(cString: $0) } ?? ""
    }
}

extension DiscoveryError {
    /// - Parameter name: the D-Bus error of a failed attempt to connect to the bus.
    init(connecting name: String) {
        let denials = ["AccessDenied", "AuthFailed"].map { "org.freedesktop.DBus.Error." + $0 }
        self = denials.contains(name) ? .busDenied : .noSystemBus
    }

    /// - Parameter name: the D-Bus error of a question to avahi-daemon.
    init(asking name: String) {
        switch name {
        case "org.freedesktop.DBus.Error.AccessDenied": self = .avahi(code: Self.accessDenied)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": self = .notAnswering
        case "org.freedesktop.DBus.Error.Disconnected": self = .noSystemBus
        default: self = .notRunning
        }
    }
}
