// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import TestSupport
import Testing

/// Sessions stay in the daemon. Version 0.2.0 could export them.
@Suite("No session is exported", .timeLimit(.minutes(1)))
struct SessionExportTests {
    @Test(
        "an option of exported sessions is wrong usage, and the error names the loopback adapter",
        arguments: [
            ["adapter", "open", "x", "--session"], ["adapter", "open", "x", "--yes-export"],
            ["endpoint", "set", "x", "--session-export", "on"],
        ]
    )
    func options(arguments: [String]) async throws {
        let output = try await Deployment().relctl(arguments)
        #expect(output.status == 64 && output.standardError.contains("adapter open --loopback"), "\(output)")
        let help = try await Deployment().success(arguments[0], arguments[1], "--help")
        #expect(!help.contains("export") && !help.contains("--session "))
    }

    @Test("a list that permits them opens with one warning, and nothing that asks for one gets it")
    func permitted() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "data"), 0o700)
        mkdir(deployment.home.path(of: "data/relativityd"), 0o700)
        let endpoint = #"{"id":"a","name":"n","url":"http://127.0.0.1:1/bin","sessionExport":true}"#
        let other = #"{"id":"b","name":"m","url":"http://127.0.0.1:2/bin","sessionExport":true}"#
        let file = "data/relativityd/endpoints.json"
        deployment.home.write(Array(#"{"version":1,"endpoints":[\#(endpoint),\#(other)]}"#.utf8), to: file)
        chmod(deployment.home.path(of: file), 0o600)
        try await deployment.startDaemon()

        let status = try await deployment.success("status", "--json")
        #expect(status.split(separator: "sessionExportIgnored").count == 2, "\(status)")
        #expect(try await deployment.success("show", "n", "--json").contains(#""sessionExport":false"#))
        let socket = deployment.socket
        try await BlockingWork.run {
            let client = try DaemonClient(socket: socket)
            func code(_ body: () throws -> Void) throws -> DaemonError.Code? {
                do {
                    try body()
                    return nil
                } catch let error as DaemonError {
                    return error.code
                }
            }
            let opened = try code { _ = try client.call(BrokerAPI.OpenSessionCall(endpoint: "n")) }
            let allowed = try code { _ = try client.call(RegistryAPI.SetCall(endpoint: "n", sessionExport: true)) }
            #expect(opened == .sessionExportOff && allowed == .sessionExportOff)
            let off = RegistryAPI.SetCall(endpoint: "n", readOnly: true, sessionExport: false)
            #expect(try code { _ = try client.call(off) } == nil)
        }
        #expect(!TextFile.text(of: deployment.home.path(of: file)).contains("sessionExport"))
    }
}
