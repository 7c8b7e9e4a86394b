// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Testing

@testable import relctl

@Suite("Commands of relctl doctor that need root")
struct RootAccessTests {
    private static func access(_ environment: [String: String] = [:], files: Set<String>) -> RootAccess {
        RootAccess(Environment(environment)) { files.contains($0) }
    }

    @Test("a flatpak, a snap, a container and a machine without sudo are detected")
    func kinds() {
        let sudo: Set = ["/usr/bin/sudo"]
        #expect(Self.access(files: sudo) == .sudo)
        #expect(Self.access(["PATH": "/a:/opt/bin"], files: ["/opt/bin/sudo"]) == .sudo)
        #expect(Self.access(files: []) == .itself)
        #expect(Self.access(files: ["/.flatpak-info", "/usr/bin/sudo"]) == .outside(of: "flatpak"))
        #expect(Self.access(["SNAP": "/snap/x/1"], files: sudo) == .outside(of: "snap"))
        #expect(Self.access(["container": "podman"], files: sudo) == .outside(of: "container"))
        #expect(Self.access(["container": ""], files: sudo) == .sudo)
    }

    @Test("without sudo no remedy uses it, and the findings are the same")
    func remedies() {
        var count = 0
        for item in DiagnosisTests.cases {
            let usual = Diagnosis(DiagnosisTests.facts(item.change)).findings
            for access in [RootAccess.itself, .outside(of: "flatpak")] {
                let findings = Diagnosis(
                    DiagnosisTests.facts {
                        item.change(&$0)
                        $0.rootAccess = access
                    }
                ).findings
                #expect(
                    findings.map(\.finding) == usual.map(\.finding) && findings.map(\.verdict) == usual.map(\.verdict)
                )
                for (finding, before) in zip(findings, usual) {
                    #expect(finding.remedy?.text.contains("sudo") != true, "\(item)")
                    guard before.remedy?.text.contains("sudo") == true else {
                        #expect(finding == before, "\(item)")
                        continue
                    }
                    count += 1
                    guard case .advice(let text)? = finding.remedy else {
                        #expect(access == .itself && geteuid() == 0, "\(item)")
                        continue
                    }
                    let start = access == .itself ? "as root: " : "outside of this flatpak, as root of the machine: "
                    #expect(text.hasPrefix(start), "\(text)")
                }
            }
        }
        #expect(count > 5)
    }

    @Test("each step of a command loses its sudo, and a name that contains it does not")
    func steps() {
        let finding = Finding.fault("x", "x", seen: nil, .command("sudo a 'sudo b' && sudo c | sudo tee d"))
        #expect(
            RootAccess.outside(of: "snap").adapted(finding).remedy
                == .advice("outside of this snap, as root of the machine: a 'sudo b' && c | tee d")
        )
        #expect(RootAccess.sudo.adapted(finding) == finding)
    }

    @Test("in a sandbox of relctl the network needs no repair")
    func ownSandbox() {
        #expect(Sandbox.isSocket("/run/user/7/relctl-sandbox.a1B2c3/relativityd/relativityd.sock"))
        #expect(!Sandbox.isSocket("/run/user/7/relativityd/relativityd.sock"))
        let findings = Diagnosis(
            DiagnosisTests.facts {
                $0.isOfSandbox = true
                $0.bus = .refuses(errno: ENOENT)
                $0.avahi = .notInstalled
                $0.interfaces = []
            }
        ).findings
        #expect(findings.map(\.check) == ["daemon", "sandbox"] && findings.allSatisfy { $0.verdict == .ok })
    }
}
