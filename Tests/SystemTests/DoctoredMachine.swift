// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// A machine on which faults are made and `relctl doctor` is asked. What it says to type is typed into a shell, where
/// `Tests/Tools/services` stand for systemctl, sudo and apt-get.
struct DoctoredMachine {
    private static let mark = "the doctor says:"

    let deployment: Deployment
    let environment: [String: String]
    /// On a LAN daemons end with their host.
    private let warden: DaemonWarden?
    /// What `relctl doctor` is asked about, as words of a shell.
    var arguments = ""

    init(_ deployment: Deployment) throws {
        self.deployment = deployment
        warden = deployment.lan == nil ? try DaemonWarden(deployment.home.path(of: "warden")) : nil
        let tools = Sources.root + "/Tests/Tools"
        let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
        environment = deployment.environment.merging([
            "PATH": "\(tools)/services:/\(programs):/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "TOOLS": tools, "RELATIVITYD": Products.path(of: "relativityd"), "RELCTL": Products.path(of: "relctl"),
            "SERVER": Products.path(of: "relativity-sample-server"),
            // What is said to a container that the tests run in is not about this machine.
            "container": "", "WARDEN": warden?.register ?? "",
        ]) { $1 }
    }

    /// Runs shell commands there.
    @discardableResult
    func run(_ script: String) async throws -> String {
        try await command(["sh", "-c", script]).succeed()
    }

    func command(_ arguments: [String]) -> Command {
        guard let lan = deployment.lan else { return Command(arguments, environment: environment) }
        var command = lan.command(on: 1, arguments)
        command.environment.merge(environment) { $1 }
        return command
    }

    /// - Parameters:
    ///   - fault: what belongs to the shell of this fault.
    ///   - typed: what was typed into this shell before.
    /// - Returns: those findings that are not `ok`.
    func findings(_ fault: SeededFault? = nil, after typed: String = "") async throws -> [JSONObject] {
        let script = """
            \(fault?.shell ?? "")
            \(typed)
            echo '\(Self.mark)'; \(fault?.runner ?? "") \(Products.path(of: "relctl")) doctor --json \(arguments)
            """
        let output = try await command(["sh", "-c", script]).run()
        #expect(output.status == 0 || output.status == 1, "\(script): \(output)")
        let text = output.standardOutput
        guard let start = text.firstRange(of: Self.mark)?.upperBound else {
            throw Command.Failure.status([script], output)
        }
        let answer = try #require(try JSONValue(parsing: String(text[start...])).objectValue)
        let findings = try answer.objects("findings").filter { try $0.string("verdict") != "ok" }
        let hasFault = try findings.contains { try $0.string("verdict") == "fault" }
        #expect(try answer.bool("healthy") == !hasFault && output.status == (hasFault ? 1 : 0))
        return findings
    }

    /// Waits until a check finds something.
    func finding(_ check: String, _ fault: SeededFault? = nil) async throws -> JSONObject {
        var found: JSONObject?
        var all: [JSONObject] = []
        do {
            try await eventually(within: 20) {
                all = try await findings(fault)
                found = try all.first { try $0.string("check") == check }
                return found != nil
            }
        } catch {
            Issue.record("no finding of \(check) but \(all)")
            throw error
        }
        return try #require(found)
    }

    /// Waits until a check finds nothing more, in a shell in which something was typed.
    ///
    /// - Returns: faults that others find, and that can be mended.
    @discardableResult
    func awaitSilence(
        of check: String,
        _ fault: SeededFault,
        after typed: String = ""
    ) async throws -> [JSONObject] {
        var all: [JSONObject] = []
        do {
            try await eventually(within: 20) {
                all = try await findings(fault, after: typed)
                return try !all.contains { try $0.string("check") == check }
            }
        } catch {
            Issue.record("\(fault.name): after '\(typed)' there is still \(all)")
            throw error
        }
        return all.filter(\.isMendable)
    }

    /// Does what the doctor says until it says nothing more to do.
    func heal() async throws {
        var commands: [String] = []
        do {
            try await eventually(within: 20) {
                commands = try await findings().filter(\.isMendable).compactMap { try $0.optionalString("command") }
                // One may fail as long as another fault stands in its way.
                for command in commands { _ = try await self.command(["sh", "-c", command]).run() }
                return commands.isEmpty
            }
        } catch {
            Issue.record("the machine stays ill: \(commands)")
            throw error
        }
    }
}

extension JSONObject {
    /// A fault with a command against it. One without may be what another leads to, such as a source that is down.
    fileprivate var isMendable: Bool {
        self["verdict"]?.stringValue == "fault" && self["command"]?.stringValue != nil
    }
}
