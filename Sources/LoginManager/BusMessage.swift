// SPDX-License-Identifier: Apache-2.0

internal import CDBus
internal import Glibc

/// One message of the bus.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter pointer: a reference that is given back with this value.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A method call. It starts no service that is not there.
    ///
    /// - Parameter arguments: all of them strings.
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

    /// The argument at `index`, where it is a boolean.
    func boolean(at index: Int = 0) -> Bool? {
        basic(Self.booleanType, at: index, dbus_bool_t(0)).map { $0 != 0 }
    }

    /// The argument at `index`, where it is a string.
    func string(at index: Int = 0) -> String? {
        let text: UnsafePointer<CChar>?? = basic(Self.stringType, at: index, nil)
        return text.flatMap { $0 }.map { String(cString: $0) }
    }

    /// A descriptor among the arguments, which is the caller's from now on.
    func descriptor(at index: Int = 0) -> Int32? {
        basic(Self.descriptorType, at: index, Int32(-1)).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The number at the beginning of a structure inside of a variant, as the property `User` of a session is.
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

    // The macros of dbus-protocol.h are casts, which Swift does not see: the letters of a type's signature.
    private static let stringType = Int32(UInt8(ascii: "s"))
    private static let booleanType = Int32(UInt8(ascii: "b"))
    private static let numberType = Int32(UInt8(ascii: "u"))
    private static let descriptorType = Int32(UInt8(ascii: "h"))
    private static let variantType = Int32(UInt8(ascii: "v"))
    private static let structureType = Int32(UInt8(ascii: "r"))
}
