// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A LAN of network namespaces with a system bus and an avahi-daemon on every host: `Tests/Tools/lan.sh`.
package struct LAN: Sendable {
    package enum Size: Sendable {
        case hosts(Int)
        /// One host without a bridge, whose Avahi uses its loopback interface.
        case loopback
    }

    package enum Power: String, Sendable {
        case start
        case terminate = "TERM"
        case kill = "KILL"
        case stop = "STOP"
        case `continue` = "CONT"
    }

    /// The directory with the LAN's state.
    package let directory: String

    /// Starts a LAN, calls `body`, and ends the LAN in any case.
    ///
    /// - Parameters:
    ///   - bare: hosts without avahi-daemon.
    ///   - busless: hosts without a system bus either.
    ///   - avahi: settings for `[server]` in avahi-daemon.conf, each `key=value`.
    package static func with<Result>(
        _ size: Size,
        bare: [Int] = [],
        busless: [Int] = [],
        avahi: [String] = [],
        _ body: (LAN) async throws -> Result
    ) async throws -> Result {
        var template = Array("/tmp/lan-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ChildProcess.CannotStart(program: "mkdtemp", errno: errno) }
        let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let lan = LAN(directory: String(decoding: path, as: UTF8.self))
        let count = if case .hosts(let count) = size { String(count) } else { "lo" }
        let environment = [
            "LAN_BARE": bare.map(String.init).joined(separator: " "),
            "LAN_NO_BUS": busless.map(String.init).joined(separator: " "),
            "LAN_AVAHI": avahi.joined(separator: " "),
        ]
        let warden = try lan.warden()
        let result: Swift.Result<Result, any Error>
        do {
            try await lan.script(["up", count], environment).succeed(deadline: .seconds(60))
            result = .success(try await body(lan))
        } catch {
            result = .failure(error)
        }
        try await lan.script(["down"]).succeed()
        warden.write("ended\n")
        _ = warden.wait()
        return try result.get()
    }

    /// Ends the LAN if the test's process ends without doing so, also if it is killed.
    private func warden() throws -> ChildProcess {
        let down = script(["down"])
        let wait = "trap '' INT; read -r _ || exec \"$@\""
        return try ChildProcess(["bash", "-c", wait, "warden"] + down.arguments, environment: down.environment)
    }

    /// Runs a command on a host.
    package func command(on host: Int, _ arguments: [String]) -> Command {
        script(["exec", String(host)] + arguments)
    }

    /// Starts a program on a host. The program must exit when its input ends.
    package func start(on host: Int, _ arguments: [String]) throws -> ChildProcess {
        let command = command(on: host, arguments)
        return try ChildProcess(command.arguments, environment: command.environment)
    }

    package func avahi(_ power: Power, on host: Int) async throws {
        try await script(["avahi", String(host), power.rawValue]).succeed()
    }

    package func bus(_ power: Power, on host: Int) async throws {
        try await script(["dbus", String(host), power.rawValue]).succeed()
    }

    /// Sets whether the bus of a host denies all access to Avahi.
    package func bus(deniesAvahi isDenied: Bool, on host: Int) async throws {
        try await script(["dbus", String(host), isDenied ? "deny" : "allow"]).succeed()
    }

    package func link(up isUp: Bool, of host: Int) async throws {
        try await script(["link", String(host), isUp ? "up" : "down"]).succeed()
    }

    private func script(_ arguments: [String], _ environment: [String: String] = [:]) -> Command {
        Command(
            [Sources.root + "/Tests/Tools/lan.sh"] + arguments,
            environment: environment.merging(["LAN_DIR": directory]) { own, _ in own }
        )
    }
}
