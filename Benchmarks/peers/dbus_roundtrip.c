// SPDX-License-Identifier: Apache-2.0
//
// dbus_roundtrip NAME BUS-ADDRESS CORE COUNT: calls org.freedesktop.DBus.GetId of the bus itself COUNT times, pinned
// to CORE, after a tenth of COUNT for warm-up. Prints one JSON object in nanoseconds.
#include "peer.h"
#include <dbus/dbus.h>

static void call(DBusConnection *bus) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *message =
        dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetId");
    if (message == NULL) fail("dbus_message_new_method_call");
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 5000, &error);
    if (reply == NULL) fail(error.message);
    dbus_message_unref(reply);
    dbus_message_unref(message);
}

int main(int count, char **arguments) {
    if (count < 5) return 64;
    size_t rounds = strtoul(arguments[4], NULL, 10);
    pin_to_core(atoi(arguments[3]));
    int64_t *times = calloc(rounds + 1, sizeof *times);
    if (times == NULL || rounds == 0) fail("COUNT");
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_connection_open_private(arguments[2], &error);
    if (bus == NULL || !dbus_bus_register(bus, &error)) fail(error.message);
    for (size_t i = 0; i < rounds / 10; i++) call(bus);
    for (size_t i = 0; i < rounds; i++) {
        int64_t start = nanoseconds();
        call(bus);
        times[i] = nanoseconds() - start;
    }
    print_times(arguments[1], times, rounds);
    return 0;
}
