// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Glibc

/// Direct access to the system bus, because libavahi-client does not report why it cannot reach avahi-daemon. The
/// calls block, so use it on Avahi's thread only.
enum SystemBus {
    private static let avahi = "org.freedesktop.Avahi"
    private static let patience: Int32 = 2_000

    /// The path of the bus's socket, if it is a socket in the file system.
    static var socketPath: String {
        let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? ""
        let prefix = "unix:path="
        guard address.hasPrefix(prefix) else { return "/run/dbus/system_bus_socket" }
        return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
    }

    /// Returns the reason why no connection to the bus can be made.
    static func whyUnreachable() -> DiscoveryError {
        do {
            try connected { _ in }
            // The bus has appeared in the meantime, so the next attempt will succeed or give the reason.
            return .noSystemBus
        } catch {
            return error
        }
    }

    /// Makes a call that avahi-daemon answers immediately, without starting it. Waits for two seconds at most.
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
        // By default libdbus exits the process when the bus connection is lost.
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

    /// - Parameter name: the D-Bus error of a call to avahi-daemon.
    init(asking name: String) {
        switch name {
        case "org.freedesktop.DBus.Error.AccessDenied": self = .avahi(code: Self.accessDenied)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": self = .notAnswering
        case "org.freedesktop.DBus.Error.Disconnected": self = .noSystemBus
        default: self = .notRunning
        }
    }
}
