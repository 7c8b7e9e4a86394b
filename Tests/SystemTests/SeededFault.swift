// SPDX-License-Identifier: Apache-2.0

/// A real fault that a test makes, and the expected finding of `relctl doctor`.
struct SeededFault {
    let name: String
    /// The check with the finding.
    let check: String
    /// The shell commands that make the fault.
    let seed: String
    /// Shell commands that the fault needs in every shell, such as setting a variable.
    var shell = ""
    /// The command that runs relctl.
    var runner = ""

    init(_ name: String, _ check: String, seed: String = "", shell: String = "", runner: String = "") {
        self.name = name
        self.check = check
        self.seed = seed
        self.shell = shell
        self.runner = runner
    }
}

extension SeededFault {
    private static let configuration = "/etc/avahi/avahi-daemon.conf"
    private static let pid = "$(cat $XDG_RUNTIME_DIR/daemon.pid)"

    /// Faults on a host of a LAN on which Avahi receives no announcements.
    static let onNetwork = [
        SeededFault("the daemon is not running", "daemon", seed: "systemctl --user stop relativityd.service"),
        SeededFault("the daemon was killed", "daemon", seed: "kill -KILL \(pid)"),
        SeededFault("the daemon is stopped by a signal", "daemon", seed: "kill -STOP \(pid)"),
        SeededFault("the daemon's socket was removed", "daemon", seed: "rm $RELATIVITYD_SOCKET"),
        SeededFault("RELATIVITYD_SOCKET leads nowhere", "daemon", shell: "export RELATIVITYD_SOCKET=/run/no.sock"),
        SeededFault(
            "RELATIVITYD_SOCKET leads to another program",
            "daemon",
            shell: "export RELATIVITYD_SOCKET=/run/dbus/system_bus_socket"
        ),
        SeededFault(
            "RELATIVITYD_SOCKET is too long for a socket",
            "daemon",
            shell: "export RELATIVITYD_SOCKET=/run/$(printf %0200d 0)"
        ),
        SeededFault(
            "the daemon is of another version",
            "daemon",
            seed: """
                relctl status --json >/run/status; systemctl --user stop relativityd.service
                setsid python3 $TOOLS/older_daemon.py $RELATIVITYD_SOCKET </run/status >/dev/null 2>&1 &
                echo $! >$XDG_RUNTIME_DIR/daemon.pid; until relctl status >/dev/null 2>&1; do sleep 0.02; done
                """
        ),
        SeededFault(
            "the user's configuration is not valid",
            "daemon",
            seed: """
                echo '[discovry]' >>$XDG_CONFIG_HOME/relativityd/relativityd.toml
                systemctl --user stop relativityd.service
                """
        ),
        SeededFault(
            "the machine's configuration is not valid",
            "daemon",
            seed: """
                mkdir -p /etc/relativityd; echo 'a = = b' >/etc/relativityd/relativityd.toml
                systemctl --user stop relativityd.service
                """
        ),
        SeededFault(
            "a server of the administrator's is not valid",
            "administrators-file",
            seed: """
                mkdir -p /etc/relativityd/endpoints.d; echo 'nonsense = 1' >"/etc/relativityd/endpoints.d/it's.toml"
                systemctl --user reload relativityd.service
                """
        ),
        SeededFault("there is no system bus", "bus", seed: "kill $(cat /run/dbus/lan.pid)"),
        SeededFault(
            "the system bus is closed to the user",
            "bus",
            seed: "chmod 600 /run/dbus/system_bus_socket",
            runner: "setpriv --reuid=65534 --clear-groups --"
        ),
        SeededFault(
            "the bus denies access to Avahi",
            "source",
            seed: """
                policy='<policy context="mandatory"><deny send_destination="org.freedesktop.Avahi"/></policy>'
                mkdir -p /etc/dbus-1/system.d; echo "<busconfig>$policy</busconfig>" >/etc/dbus-1/system.d/local.conf
                systemctl reload dbus.service; systemctl --user restart relativityd.service
                """
        ),
        SeededFault("avahi-daemon is not running", "avahi", seed: "kill $(cat /run/avahi-daemon/pid)"),
        SeededFault("avahi-daemon hangs", "avahi", seed: "kill -STOP $(cat /run/avahi-daemon/pid)"),
        SeededFault(
            "avahi-daemon is not installed",
            "avahi",
            seed: """
                kill $(cat /run/avahi-daemon/pid); command -v avahi-daemon >/run/covered
                mount --bind /dev/null $(cat /run/covered)
                """
        ),
        SeededFault("the interface is down", "interfaces", seed: "ip link set eth0 down"),
        SeededFault("the interface does not support multicast", "interfaces", seed: "ip link set eth0 multicast off"),
        SeededFault("the loopback interface is down", "loopback", seed: "ip link set lo down"),
        SeededFault(
            "Avahi is denied the interface",
            "avahi-interfaces",
            seed: """
                sed -i '/^.server.$/a deny-interfaces=eth0' \(configuration)
                systemctl restart avahi-daemon.service
                """
        ),
        SeededFault(
            "Avahi uses no IPv4",
            "avahi-ipv4",
            seed: "sed -i '/^.server.$/a use-ipv4=no' \(configuration)"
        ),
        SeededFault(
            "systemd-resolved speaks multicast DNS too",
            "mdns-port",
            seed: """
                ln -s "$(command -v python3)" /run/systemd-resolve
                setsid /run/systemd-resolve $TOOLS/bind_mdns.py >/dev/null 2>&1 & echo $! >/run/resolved.pid
                """
        ),
        SeededFault(
            "all servers are hidden",
            "hidden",
            seed: "relctl add one 10.77.0.7; relctl add two 10.77.0.8; relctl hide one; relctl hide two"
        ),
        SeededFault(
            "Avahi's cache is too small",
            "avahi-cache",
            seed: """
                sed -i '/^.server.$/a cache-entries-max=3' \(configuration)
                setsid $SERVER --lan --port 7099 --data-dir $HOME/server >/dev/null 2>&1 &
                """
        ),
        SeededFault(
            "the data directory belongs to somebody else",
            "files",
            seed: "chown 65534 $XDG_DATA_HOME/relativityd"
        ),
        SeededFault("the state directory is open", "files", seed: "chmod 755 $XDG_STATE_HOME/relativityd"),
        SeededFault(
            "the data directory cannot be written",
            "disk",
            seed: """
                mount -t tmpfs -o mode=700 tmpfs $XDG_DATA_HOME/relativityd
                mount -o remount,ro $XDG_DATA_HOME/relativityd
                """
        ),
    ]
}
