// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("Directories")
struct DirectoriesTests {
    @Test("Directories uses the variables of the XDG specification")
    func variables() throws {
        let directories = try Directories(
            Environment([
                "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s//",
                "XDG_RUNTIME_DIR": "/run/user/7",
            ])
        )
        #expect(directories.configuration == "/c/relativityd")
        #expect(directories.data == "/d/relativityd")
        #expect(directories.state == "/s/relativityd")
        #expect(try directories.runtime() == "/run/user/7/relativityd")
    }

    @Test("Directories falls back to the home directory for unset, empty and relative values")
    func fallbacks() throws {
        let directories = try Directories(
            Environment(["HOME": "/home/x", "XDG_CONFIG_HOME": "relative", "XDG_DATA_HOME": ""])
        )
        #expect(directories.configuration == "/home/x/.config/relativityd")
        #expect(directories.data == "/home/x/.local/share/relativityd")
        #expect(directories.state == "/home/x/.local/state/relativityd")
    }

    @Test("Directories throws if there is no home or runtime directory")
    func missing() throws {
        #expect(throws: PlatformError.noHome) { try Directories(Environment([:])) }
        #expect(throws: PlatformError.noHome) { try Directories(Environment(["HOME": "home"])) }
        let directories = try Directories(Environment(["HOME": "/h", "XDG_RUNTIME_DIR": "run"]))
        #expect(throws: PlatformError.noRuntimeDirectory) { try directories.runtime() }
    }

    @Test("a runtime directory in which the path of a socket would be too long is refused with its length")
    func longRuntime() throws {
        for (extra, isRefused) in [(0, false), (1, true)] {
            let base = "/" + String(repeating: "r", count: 65 + extra)
            let directories = try Directories(Environment(["HOME": "/h", "XDG_RUNTIME_DIR": base]))
            let path = base + "/relativityd"
            guard isRefused else {
                #expect(try directories.runtime() == path)
                #expect(UnixAddress(path: path + "/grants/01234567/adapter.sock") != nil)
                continue
            }
            #expect(UnixAddress(path: path + "/grants/01234567/adapter.sock") == nil)
            #expect(
                throws: PlatformError.runtimeDirectoryTooLong(path: path, bytes: path.utf8.count, maximumBytes: 78)
            ) { try directories.runtime() }
        }
    }

    @Test("RELATIVITYD_HOME replaces every directory of the user")
    func ownHome() throws {
        let directories = try Directories(
            Environment(["RELATIVITYD_HOME": "/s/", "HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/r"])
        )
        #expect(directories.configuration == "/s/config/relativityd")
        #expect(directories.data == "/s/data/relativityd")
        #expect(directories.state == "/s/state/relativityd")
        #expect(directories.sampleServer == "/s/data/relativity-sample-server")
        #expect(try directories.runtime() == "/s/relativityd")
        #expect(throws: PlatformError.relativeHome(path: "s")) {
            try Directories(Environment(["RELATIVITYD_HOME": "s", "HOME": "/h"]))
        }
    }

    @Test("temporary files are in TMPDIR, or in the runtime directory if only the user shall reach them")
    func temporary() {
        for (variables, path, own) in [
            ([:], "/tmp", "/tmp"), (["TMPDIR": "tmp"], "/tmp", "/tmp"), (["TMPDIR": "/t/"], "/t", "/t"),
            (["TMPDIR": "/t", "XDG_RUNTIME_DIR": "/r"], "/t", "/r"), (["XDG_RUNTIME_DIR": "r"], "/tmp", "/tmp"),
        ] as [([String: String], String, String)] {
            #expect(Environment(variables).temporaryDirectory == path)
            #expect(Environment(variables).privateTemporaryDirectory == own)
        }
    }
}
