// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Endpoints
internal import Glibc

/// A private connection to a bus. Calls may block for seconds, so it must only be used on a thread of its
/// own.
struct BusConnection: ~Copyable {
    private static let callMilliseconds: Int32 = 5_000
    /// Any process on the bus can send us a signal. No signal that we handle is longer than this.
    private static let longestMessage = 64 << 10
    private static let busName = "org.freedesktop.DBus"

    private let pointer: OpaquePointer

    /// Connects to `DBUS_SYSTEM_BUS_ADDRESS`, or to the default address of the system bus.
    init() throws(LoginManagerError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
            throw .noSystemBus(reason: Self.reason(error))
        }
        Self.limit(pointer)
        self.pointer = pointer
    }

    /// Connects to the session bus at an address.
    init(session address: String) throws(LoginManagerError) {
        // Other kinds of addresses run programs.
        guard address.hasPrefix("unix:"), !address.contains(";") else {
            throw .noSessionBus(reason: "its address is not that of one Unix socket")
        }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_connection_open_private(address, &error) else {
            throw .noSessionBus(reason: Self.reason(error))
        }
        Self.limit(pointer)
        guard dbus_bus_register(pointer, &error) != 0 else {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
            throw .noSessionBus(reason: Self.reason(error))
        }
        self.pointer = pointer
    }

    private static func limit(_ pointer: OpaquePointer) {
        // By default, libdbus exits the process when the bus closes the connection.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dbus_connection_set_max_message_size(pointer, Self.longestMessage)
        dbus_connection_set_max_received_size(pointer, 4 * Self.longestMessage)
        dbus_connection_set_max_received_unix_fds(pointer, 8)
    }

    deinit {
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// The descriptor to poll(2) for readability before `receive`.
    var descriptor: Int32? {
        var descriptor: Int32 = -1
        return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : nil
    }

    /// Reads all available bytes without waiting for more.
    ///
    /// - Returns: false if the bus has closed the connection.
    func receive() -> Bool { dbus_connection_read_write(pointer, 0) != 0 }

    /// Returns the next received message, or nil.
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

    /// Returns the unique name of the owner of a well-known name; nil if the name has no owner.
    func owner(of name: String) throws(LoginManagerError) -> String? {
        do throws(LoginManagerError) {
            return try call("GetNameOwner", of: Self.busName, at: "/org/freedesktop/DBus", on: Self.busName, [name])
                .string()
        } catch {
            guard case .refused = error, isConnected else { throw error }
            return nil
        }
    }

    /// Calls a method and waits for the reply, for at most five seconds.
    func call(
        _ method: String,
        of interface: String,
        at path: String,
        on name: String,
        _ arguments: [String]
    ) throws(LoginManagerError) -> BusMessage {
        try call(BusMessage(calling: method, of: interface, at: path, on: name, arguments), method)
    }

    /// Sends a method call and waits for the reply, for at most five seconds.
    func call(_ message: borrowing BusMessage, _ method: String) throws(LoginManagerError) -> BusMessage {
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

/// One D-Bus message.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter pointer: an owned reference, which this value releases.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A method call that does not start a service.
    ///
    /// - Parameter arguments: the arguments, all of type string.
    init(
        calling method: String,
        of interface: String,
        at path: String,
        on name: String,
        _ arguments: [String]
    ) throws(LoginManagerError) {
        guard let pointer = dbus_message_new_method_call(name, path, interface, method) else {
            throw .refused(call: method, reason: "no memory")
        }
        self.init(owning: pointer)
        dbus_message_set_auto_start(pointer, 0)
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(pointer, &iterator)
        for argument in arguments {
            argument.withCString { text in
                var text: UnsafePointer<CChar>? = text
                dbus_message_iter_append_basic(&iterator, Self.stringType, &text)
            }
        }
    }

    deinit {
        dbus_message_unref(pointer)
    }

    var sender: String? { dbus_message_get_sender(pointer).map { String(cString: $0) } }

    var path: String? { dbus_message_get_path(pointer).map { String(cString: $0) } }

    func isSignal(_ member: String, of interface: String) -> Bool {
        dbus_message_is_signal(pointer, interface, member) != 0
    }

    /// The argument at `index`; nil if it is not a boolean.
    func boolean(at index: Int = 0) -> Bool? {
        basic(Self.booleanType, at: index, dbus_bool_t(0)).map { $0 != 0 }
    }

    /// The argument at `index`; nil if it is not a string.
    func string(at index: Int = 0) -> String? {
        let text: UnsafePointer<CChar>?? = basic(Self.stringType, at: index, nil)
        return text.flatMap { $0 }.map { String(cString: $0) }
    }

    /// The first argument; nil if it is not an unsigned number of 32 bits.
    var number: UInt32? { basic(Self.numberType, at: 0, UInt32(0)) }

    /// The descriptor in the argument at `index`; nil if there is none. The caller owns it.
    func descriptor(at index: Int = 0) -> Int32? {
        basic(Self.descriptorType, at: index, Int32(-1)).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The first number of a structure inside a variant, such as the property `User` of a session.
    var numberOfStructureInVariant: UInt32? {
        var iterator = DBusMessageIter()
        var variant = DBusMessageIter()
        var structure = DBusMessageIter()
        guard dbus_message_iter_init(pointer, &iterator) != 0,
            dbus_message_iter_get_arg_type(&iterator) == Self.variantType
        else { return nil }
        dbus_message_iter_recurse(&iterator, &variant)
        guard dbus_message_iter_get_arg_type(&variant) == Self.structureType else { return nil }
        dbus_message_iter_recurse(&variant, &structure)
        guard dbus_message_iter_get_arg_type(&structure) == Self.numberType else { return nil }
        var number: UInt32 = 0
        dbus_message_iter_get_basic(&structure, &number)
        return number
    }

    private func basic<Value: BitwiseCopyable>(_ type: Int32, at index: Int, _ initial: Value) -> Value? {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(pointer, &iterator) != 0 else { return nil }
        for _ in 0..<index where dbus_message_iter_next(&iterator) == 0 { return nil }
        guard dbus_message_iter_get_arg_type(&iterator) == type else { return nil }
        var value = initial
        withUnsafeMutableBytes(of: &value) { dbus_message_iter_get_basic(&iterator, $0.baseAddress) }
        return value
    }

    // Signature letters of D-Bus types. Swift cannot import the macros of dbus-protocol.h, because they are casts.
    static let stringType = Int32(UInt8(ascii: "s"))
    private static let booleanType = Int32(UInt8(ascii: "b"))
    static let numberType = Int32(UInt8(ascii: "u"))
    private static let descriptorType = Int32(UInt8(ascii: "h"))
    private static let variantType = Int32(UInt8(ascii: "v"))
    private static let structureType = Int32(UInt8(ascii: "r"))
}
