// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("relctl wire capture", .timeLimit(.minutes(2)))
struct CaptureTests {
    @Test("the report is written once, for its owner only, and names the points that it answers")
    func report() async throws {
        let deployment = try await Deployment.withLogin()
        let folder = TemporaryDirectory()
        let path = folder.path(of: "report.txt")
        let options = ["wire", "capture", "sample", "--out", path]
        let written = try await deployment.relctl(options)
        #expect(written.status == 0, "\(written)")
        let report = TextFile.text(of: path)
        for line in ["TXT record (point 1)", "class SessionNotFoundException", "status: 500", "4c 6f 67 69"] {
            #expect(report.contains(line), "\(line)")
        }
        #expect(!report.contains("wrong password"))
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // The second time the file exists, so nothing is sent.
        let logins = deployment.requests(of: "LoginService.LoginEx")
        let again = try await deployment.relctl(options)
        #expect(again.status != 0 && TextFile.text(of: path) == report, "\(again)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins)
        // A failed report leaves no file.
        let other = folder.path(of: "other.txt")
        let missing = try await deployment.relctl(["wire", "capture", "nowhere", "--out", other])
        #expect(missing.status == 11 && access(other, F_OK) != 0, "\(missing)")
    }
}
