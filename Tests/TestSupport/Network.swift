// SPDX-License-Identifier: Apache-2.0

/// The network of the running test.
package enum Network {
    package struct ReachesOthers: Error, CustomStringConvertible {
        let interfaces: Set<String>

        package var description: String {
            "a program would reach the machine's network (\(interfaces.sorted().joined(separator: ", "))): "
                + "run the tests by Tests/Tools/alone.sh, as make test does"
        }
    }

    /// Throws `ReachesOthers` if there is a route other than over loopback, because a daemon probes the servers it
    /// knows.
    package static func requireLoopbackOnly() throws {
        let routes = lines(of: "/proc/self/net/route").dropFirst().map { $0.split(separator: "\t").first }
        let routes6 = lines(of: "/proc/self/net/ipv6_route").map { $0.split(separator: " ").last }
        let interfaces = Set((routes + routes6).compactMap { $0.map(String.init) }).subtracting(["lo"])
        guard interfaces.isEmpty else { throw ReachesOthers(interfaces: interfaces) }
    }

    private static func lines(of path: String) -> [Substring] { TextFile.text(of: path).split(separator: "\n") }
}
