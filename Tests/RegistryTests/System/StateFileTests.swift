// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Registry

@Suite("State files")
struct StateFileTests {
    private let temporary = TemporaryDirectory()

    private var registry: EndpointRegistry {
        EndpointRegistry(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            store: EndpointStore(directory: temporary.path, pool: .singleton)
        )
    }

    private func file(_ limit: Int) -> StateFile {
        StateFile("f", in: temporary.path, maximumBytes: limit, pool: .singleton)
    }

    private static func isUnusable(_ problem: StateFileProblem?) -> Bool {
        if case .unusable? = problem { true } else { false }
    }

    private static func newPath(_ problem: StateFileProblem?) -> String? {
        if case .setAside(_, let path, _)? = problem { path } else { nil }
    }

    @Test("a list of a later version is not changed and nothing is saved, until it is moved away")
    func tooNew() async throws {
        let text = Array(#"{"version":2,"endpoints":[]}"#.utf8)
        temporary.write(text, to: "endpoints.json", mode: 0o600)
        let registry = registry
        guard case .unusable(let path, let reason)? = await registry.load() else { throw NotInTime(seconds: 0) }
        #expect(path == temporary.path(of: "endpoints.json") && reason.contains("version 2"), "\(reason)")
        let error = await #expect(throws: RegistryError.self) {
            try await registry.add(name: "office", url: ServerURL(completing: "10.0.0.1"))
        }
        guard case .listTooNew = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await registry.unsavedReason != nil)
        #expect(temporary.names() == ["endpoints.json"])
        #expect(temporary.content(of: "endpoints.json") == text)
        #expect(rename(temporary.path(of: "endpoints.json"), temporary.path(of: "newer")) == 0)
        _ = try await registry.add(name: "office", url: ServerURL(completing: "10.0.0.1"))
        #expect(await registry.unsavedReason == nil)
        #expect(temporary.names() == ["endpoints.json", "newer"])
    }

    @Test("reading and writing have the same limit, and a file above it is not written")
    func limit() async throws {
        let file = file(1_000)
        let (full, tooMuch) = ([UInt8](repeating: 7, count: 1_000), [UInt8](repeating: 8, count: 1_001))
        try await file.save { full }
        await #expect(throws: StateFileError.tooLarge(limit: 1_000)) { try await file.save { tooMuch } }
        let (contents, problem) = await file.load { $0 }
        #expect(contents == full && problem == nil)
    }

    @Test("the temporary file of a killed save is removed, unless another daemon may be writing it")
    func staleFiles() async throws {
        let (old, new) = (try AtomicFile.temporaryName(of: "f"), try AtomicFile.temporaryName(of: "f"))
        for name in [old, new] { temporary.write([1], to: name) }
        let past = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, temporary.path(of: old), [past, past], 0) == 0)
        #expect(await file(1_000).load { $0 }.problem == nil)
        #expect(temporary.names() == [new])
    }

    @Test("a file that could not be read at first is not overwritten when it can be")
    func unreadable() async throws {
        temporary.write([1], to: "f", mode: 0o600)
        #expect(chmod(temporary.path, 0o755) == 0)
        let file = file(1_000)
        #expect(Self.isUnusable(await file.load { $0 }.problem))
        #expect(chmod(temporary.path, 0o700) == 0)
        await #expect(throws: StateFileError.self) { try await file.save { [2] } }
        #expect(await file.load { $0 }.contents == [1])
        try await file.save { [2] }
        #expect(await file.load { $0 }.contents == [2])
    }

    @Test("a file with a temporary read error stays, and is not overwritten before it was read")
    func transient() async throws {
        temporary.write([1], to: "f", mode: 0o600)
        let file = file(1_000)
        for code in [EIO, EMFILE, ENOMEM, EACCES] {
            let failed: (contents: Int?, problem: StateFileProblem?) = await file.load { _ in
                throw PlatformError.system(call: "read", subject: "f", errno: code)
            }
            #expect(failed.contents == nil && Self.isUnusable(failed.problem))
            #expect(temporary.names() == ["f"] && temporary.content(of: "f") == [1])
            await #expect(throws: StateFileError.self) { try await file.save { [2] } }
        }
        #expect(await file.load { $0 }.contents == [1])
        try await file.save { [2] }
        #expect(temporary.content(of: "f") == [2])
    }

    @Test("a good file that is open to others, a link or a second name stays, and the problem names the repair")
    func unsafe() async throws {
        let (path, file) = (temporary.path(of: "f"), file(1_000))
        func isRepaired(by fix: String) async throws {
            let problem = await file.load { $0 }.problem
            guard case .unusable(path, let reason)? = problem else { throw NotInTime(seconds: 0) }
            #expect(reason.contains("try: \(fix)") && reason.contains("restart"), "\(reason)")
            await #expect(throws: StateFileError.self) { try await file.save { [2] } }
            #expect(temporary.content(of: "f") == [1])
            try await Command(["sh", "-c", fix]).succeed()
            #expect(await file.load { $0 }.contents == [1])
        }
        temporary.write([1], to: "f", mode: 0o644)
        try await isRepaired(by: "chmod 600 \(ShellWord.quote(path))")
        let copy = "cp -p \(ShellWord.quote(path)) \(ShellWord.quote(path + ".copy")) && mv "
        #expect(rename(path, temporary.path(of: "target")) == 0 && symlink("target", path) == 0)
        try await isRepaired(by: copy + "\(ShellWord.quote(path + ".copy")) \(ShellWord.quote(path))")
        #expect(link(path, temporary.path(of: "second")) == 0)
        try await isRepaired(by: copy + "\(ShellWord.quote(path + ".copy")) \(ShellWord.quote(path))")
        #expect(temporary.names() == ["f", "second", "target"])
    }

    @Test("a file that is too large or malformed is set aside")
    func damaged() async throws {
        temporary.write([UInt8](repeating: 1, count: 1_001), to: "f", mode: 0o600)
        #expect(Self.newPath(await file(1_000).load { $0 }.problem) == temporary.path(of: "f.damaged-1"))
        temporary.write([1], to: "f", mode: 0o600)
        let malformed: (contents: Int?, problem: StateFileProblem?) = await file(1_000).load { _ in
            throw StateFileError.damaged("for the test")
        }
        #expect(Self.newPath(malformed.problem) == temporary.path(of: "f.damaged-2"))
    }

    @Test("the largest sighting of a used server survives the round trip")
    func largest() throws {
        let limits = RegistryLimits()
        let label = String(repeating: "\u{1}", count: limits.hostBytes)
        var state = RegistryState()
        for interface in 1...64 {
            var sighting = try Sighting.made(interface: Int32(interface), address: "2001:db8::\(interface)")
            sighting.key.instance = ServiceInstance(
                nameBytes: [UInt8](repeating: 1, count: limits.nameBytes),
                type: label,
                domain: label
            )
            sighting.host = label
            sighting.path = "/" + String(repeating: "\\", count: 1_023)
            _ = state.see(sighting)
        }
        let id = try #require(state.endpoints.first?.id)
        state.remember(id)
        let file = EndpointFile(state.savedEndpoints)
        #expect(state.endpoints.first?.addresses.count == 64)
        #expect(try EndpointFile(parsing: file.bytes) == file)
    }
}
