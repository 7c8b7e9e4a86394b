// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import TestSupport
import Testing
import Varlink

@Suite("The local API from outside", .timeLimit(.minutes(2)))
struct OutsideAPITests {
    @Test(
        "the varlink client of PyPI lists, describes and calls every method, and gets a reply or a declared error",
        .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the Python client"), "scripts/python-env.sh")
    )
    func pythonClient() async throws {
        let deployment = try await Deployment.running()
        let tool = Sources.root + "/Tests/Tools/call_every_method.py"
        let lines = try await Command([Sources.python, tool, "unix:" + deployment.socket]).succeed().split(
            separator: "\n"
        )
        let outcomes = Dictionary(
            uniqueKeysWithValues: lines.map { ($0.prefix { $0 != " " }, $0.split(separator: " ")[1]) }
        )
        var declared = ["org.varlink.service.GetInfo", "org.varlink.service.GetInterfaceDescription"]
        for text in InterfaceText.all {
            let description = try VarlinkDescription(parsing: text)
            declared += description.methods.map { "\(description.name).\($0.name)" }
        }
        #expect(outcomes.keys.map { String($0) }.sorted() == declared.sorted())
        let standard = ["InvalidParameter", "ExpectedMore"].map { "org.varlink.service.\($0)" }
        for (method, outcome) in outcomes where outcome != "reply" {
            let isTyped = DaemonError.Code(rawValue: String(outcome)) != nil || standard.contains(String(outcome))
            #expect(isTyped && outcome != DaemonError.Code.failed.rawValue, "\(method): \(outcome)")
        }
        for method in ["Manager.GetStatus", "Registry.List", "Credentials.GetStatus", "Broker.List"] {
            #expect(outcomes["org.relativityd.\(method)"] == "reply", "\(method)")
        }
    }

    @Test(
        "curl calls methods, resumes a watch, and reads metrics like Prometheus",
        .enabled(if: Requirement.allMet([.program("curl")], for: "HTTP"), "curl")
    )
    func curl() async throws {
        let deployment = try await Deployment.running()
        try await deployment.success("add", "office", "10.0.0.1")
        let list = try await curl(deployment, "/call/org.relativityd.Registry.List")
        for path in ["/sockets", "/call/org.relativityd.Manager/org.relativityd.Registry.List"] {
            let refused = try await curl(deployment, path, "-H", "Origin: http://example.org", "-w", "%{http_code}")
            #expect(refused.hasSuffix("\n403") && refused.contains("OriginRefused"))
        }
        let revision = try #require(try JSONValue(parsing: list).objectValue).integer("revision")
        let locked = try await curl(
            deployment,
            "/call/org.relativityd.Credentials.ListPins",
            "-X",
            "POST",
            "-w",
            "%{http_code}"
        )
        #expect(locked.hasSuffix("\n423") && locked.contains("VaultAbsent"))

        let metrics = try await curl(deployment, "/metrics", "-w", "%{content_type}")
        #expect(metrics.hasSuffix("\ntext/plain; version=0.0.4; charset=utf-8"))
        for line in [
            "relativityd_endpoints{origin=\"manual\",state=\"unknown\"} 1",
            "relativityd_vault_state{state=\"absent\"} 1",
            "relativityd_source_up{source=\"avahi\"} 0", "# TYPE relativityd_api_calls_total counter",
        ] {
            #expect(metrics.contains("\n\(line)\n"), "\(line)")
        }
        for line in metrics.split(separator: "\n").dropLast() {
            let sample =
                /(#\ (HELP|TYPE)\ relativityd_[a-z_]+\ .+)|(relativityd_[a-z_]+(\{([a-z]+="[^"]*",?)+\})?\ [0-9]+)/
            #expect(line.wholeMatch(of: sample) != nil, "\(line)")
        }

        let watch = try ChildProcess(
            Self.curl(deployment, "/call/org.relativityd.Registry.Watch", ["-N", "-d", "{\"since\": \(revision)}"])
        )
        let lines = watch.outputLines(silence: .seconds(20))
        #expect(await Self.next(lines) == "\u{1E}{\"kind\":\"resumed\",\"revision\":\(revision)}")
        try await deployment.success("hide", "office")
        #expect(await Self.next(lines)?.contains("\"revision\":\(revision + 1),") == true)
        watch.signal(SIGTERM)
        _ = watch.wait()
    }

    private static func next(_ lines: AsyncStream<String>) async -> String? {
        for await line in lines { return line }
        return nil
    }

    private static func curl(_ deployment: Deployment, _ path: String, _ options: [String]) -> [String] {
        ["curl", "--silent", "--show-error", "--unix-socket", deployment.socket] + options + ["http://d\(path)"]
    }

    private func curl(_ deployment: Deployment, _ path: String, _ options: String...) async throws -> String {
        try await Command(Self.curl(deployment, path, options)).succeed()
    }

    @Test(
        "another user is refused even if the permissions would allow access",
        .enabled(if: Requirement.allMet([.root]))
    )
    func anotherUser() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        #expect(try await deployment.bytesForOtherUser(at: deployment.socket) == 0)
    }

    @Test(
        "another user is refused at an adapter and a grant even if the permissions would allow access",
        .enabled(if: Requirement.allMet([.root, .program("/usr/bin/python3")]), "needs root and Debian's python3")
    )
    func anotherUserOfAdapter() async throws {
        let deployment = try await Deployment.withLogin()
        let held = try await deployment.holdAdapter("sample")
        let grant = try await deployment.json("grant", "add", "--login", Deployment.login, "--read-only").objectValue
        let directory = try #require(try grant?.string("directory"))
        let folders = ["adapters", "grants"].map { deployment.home.path(of: "run/relativityd/" + $0) }
        for path in folders + [directory] { chmod(path, 0o711) }
        for path in [try held.adapter.string("socketPath"), directory + "/adapter.sock"] {
            #expect(try await deployment.bytesForOtherUser(at: path) == 0, "\(path)")
        }
        let lines = try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
        #expect(lines.contains { $0["event"] == "peer.refused" })
        held.holder.signal(SIGTERM)
        _ = held.holder.wait()
    }
}
