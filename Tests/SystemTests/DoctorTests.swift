// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite(
    "relctl doctor on a machine with faults",
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("python3"), .program("setpriv")]),
        "needs root and avahi"
    ),
    .timeLimit(.minutes(3))
)
struct DoctorTests {
    /// A separate configuration on the host, so that faults are made and fixed only there.
    private static let ownConfiguration = """
        cp -a /etc /run/etc && mount --bind /run/etc /etc && cp $LAN_DIR/1/avahi.conf /etc/avahi/avahi-daemon.conf
        # An Avahi without a name of its own need not ask for a second, at each of its starts, whether the name is free.
        sed -i '/^.publish.$/a publish-addresses=no' /etc/avahi/avahi-daemon.conf
        """

    @Test("an obstacle for multicast DNS is found by a query, and is a warning")
    func multicast() async throws {
        try await LAN.with(.hosts(1)) { lan in
            let machine = try DoctoredMachine(Deployment(on: lan))
            try await machine.run(Self.ownConfiguration)
            try await machine.heal()
            let fault = SeededFault("UDP port 5353 is closed", "multicast")
            try await machine.awaitSilence(of: "multicast", fault)
            // Like a firewall, but without its programs.
            let policy = "dir in src 0.0.0.0/0 dst 224.0.0.251/32 proto udp dport 5353"
            try await machine.run("ip xfrm policy add \(policy) action block")
            let finding = try await machine.finding("multicast", fault)
            #expect(try finding.string("verdict") == "warning" && finding.optionalString("command") == nil)
            #expect(try finding.string("finding").contains("eth0"))
            let remedy = try finding.string("remedy")
            for word in ["UDP port 5353", "firewall", "client isolation", "VPN"] { #expect(remedy.contains(word)) }
            try await machine.run("ip xfrm policy delete \(policy)")
            try await machine.awaitSilence(of: "multicast", fault)
        }
    }

    @Test("each fault is found, and fixed by the command that the doctor names")
    func network() async throws {
        try await LAN.with(.hosts(1)) { lan in
            let machine = try DoctoredMachine(Deployment(on: lan))
            try await machine.run(Self.ownConfiguration)
            try await machine.heal()
            for fault in SeededFault.onNetwork {
                if !fault.seed.isEmpty { try await machine.run(fault.seed) }
                let finding = try await machine.finding(fault.check, fault)
                let command = try #require(try finding.optionalString("command"), "\(fault.name): \(finding)")
                #expect(try finding.string("remedy") == command)
                if fault.shell.isEmpty { try await machine.run(command) }
                let typed = fault.shell.isEmpty ? "" : command
                let others = try await machine.awaitSilence(of: fault.check, fault, after: typed)
                if !others.isEmpty { try await machine.heal() }
            }
        }
    }
}
