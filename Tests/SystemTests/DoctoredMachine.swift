// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// A machine with faults on which `relctl doctor` runs. The commands that it prints are typed into a shell in which
/// `Tests/Tools/services` replaces systemctl, sudo and apt-get.
struct DoctoredMachine {
    private static let mark = "the doctor says:"

    let deployment: Deployment
    let environment: [String: String]
    /// On a LAN daemons end with their host.
    private let warden: DaemonWarden?
    /// The arguments of `relctl doctor`, as words of a shell.
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
            // Ignore the container in which the tests may run.
            "container": "", "WARDEN": warden?.register ?? "",
        ]) { $1 }
    }

    /// Runs shell commands on the machine.
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
    ///   - fault: adds the shell settings of this fault.
    ///   - typed: commands that were typed into this shell before.
    /// - Returns: the findings that are not `ok`.
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

    /// Waits until a check has a finding.
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

    /// Waits until a check has no finding, in a shell in which a command was typed.
    ///
    /// - Returns: fixable faults of other checks.
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

    /// Runs the commands of the doctor until it prints none.
    func heal() async throws {
        var commands: [String] = []
        do {
            try await eventually(within: 20) {
                commands = try await findings().filter(\.isMendable).compactMap { try $0.optionalString("command") }
                // A command may fail as long as another fault prevents it.
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
    /// A fault with a command. A fault without one may be the result of another, such as a source that is down.
    fileprivate var isMendable: Bool {
        self["verdict"]?.stringValue == "fault" && self["command"]?.stringValue != nil
    }
}
