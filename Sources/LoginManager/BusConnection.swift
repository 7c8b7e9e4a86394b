// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Endpoints

/// A connection of our own to the system bus. Every call may block for seconds: on its own thread only.
struct BusConnection: ~Copyable {
    private static let callMilliseconds: Int32 = 5_000
    /// Anyone on the bus may send us a signal; none that we heed is longer than this.
    private static let longestMessage = 64 << 10
    private static let busName = "org.freedesktop.DBus"

    private let pointer: OpaquePointer

    /// Connects to `DBUS_SYSTEM_BUS_ADDRESS`, or where the system bus usually is.
    init() throws(LoginManagerError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
            throw .noSystemBus(reason: Self.reason(error))
        }
        self.pointer = pointer
        // A lost bus would end the process otherwise.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dbus_connection_set_max_message_size(pointer, Self.longestMessage)
        dbus_connection_set_max_received_size(pointer, 4 * Self.longestMessage)
        dbus_connection_set_max_received_unix_fds(pointer, 8)
    }

    deinit {
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// What poll(2) is to wait on for `receive`.
    var descriptor: Int32? {
        var descriptor: Int32 = -1
        return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : nil
    }

    /// Reads what has arrived, without waiting for more.
    ///
    /// - Returns: false if the bus has closed the connection.
    func receive() -> Bool { dbus_connection_read_write(pointer, 0) != 0 }

    /// The next message that was received.
    func next() -> BusMessage? {
        guard let message = dbus_connection_pop_message(pointer) else { return nil }
        return BusMessage(owning: message)
    }

    func addMatch(_ rule: String) throws(LoginManagerError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        dbus_bus_add_match(pointer, rule, &error)
        guard dbus_error_is_set(&error) == 0 else { throw .refused(call: "AddMatch", reason: Self.reason(error)) }
    }

    /// The unique name of who has a well-known one; nil where nobody does.
    func owner(of name: String) throws(LoginManagerError) -> String? {
        do throws(LoginManagerError) {
            return try call("GetNameOwner", of: Self.busName, at: "/org/freedesktop/DBus", on: Self.busName, [name])
                .string()
        } catch {
            guard case .refused = error, isConnected else { throw error }
            return nil
        }
    }

    /// Calls a method and waits for its reply, five seconds at most.
    func call(
        _ method: String,
        of interface: String,
        at path: String,
        on name: String,
        _ arguments: [String]
    ) throws(LoginManagerError) -> BusMessage {
        let message = try BusMessage(calling: method, of: interface, at: path, on: name, arguments)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let reply = dbus_connection_send_with_reply_and_block(
            pointer,
            message.pointer,
            Self.callMilliseconds,
            &error
        )
        guard let reply else { throw .refused(call: method, reason: Self.reason(error)) }
        return BusMessage(owning: reply)
    }

    var isConnected: Bool { dbus_connection_get_is_connected(pointer) != 0 }

    private static func reason(_ error: DBusError) -> String {
        guard let text = error.message else { return "no reason was given" }
        return "\(Printable(String(cString: text).prefix(200)))"
    }
}
