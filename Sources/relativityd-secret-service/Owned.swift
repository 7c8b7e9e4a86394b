// SPDX-License-Identifier: Apache-2.0

import CSecret

/// One reference to an object of GLib, given back at the end.
final class Owned<Instance> {
    let pointer: UnsafeMutablePointer<Instance>

    /// - Parameter pointer: an owned reference.
    init(_ pointer: UnsafeMutablePointer<Instance>) {
        self.pointer = pointer
    }

    deinit {
        g_object_unref(pointer)
    }
}

extension Owned where Instance == SecretItem {
    var isLocked: Bool { secret_item_get_locked(pointer) != 0 }
}

extension Owned where Instance == SecretCollection {
    var isLocked: Bool { secret_collection_get_locked(pointer) != 0 }

    /// The path of the object on the bus, which tells one collection from another.
    var path: String {
        UnsafeMutableRawPointer(pointer).withMemoryRebound(to: GDBusProxy.self, capacity: 1) { proxy in
            String(cString: g_dbus_proxy_get_object_path(proxy))
        }
    }
}
