// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Testing

@Suite("Secret")
struct SecretTests {
    @Test("withBytes gives the bytes that were stored")
    func roundTrip() throws {
        let arena = try SecretArena()
        let secret = try Secret(copying: Array("correct horse".utf8), in: arena)
        #expect(secret.withBytes { Array($0) } == Array("correct horse".utf8))
        let twin = try secret.duplicate(in: arena)
        let areEqual = twin.isEqual(to: secret)
        #expect(areEqual)
        let other = try Secret(copying: Array("correct hOrse".utf8), in: arena)
        let isOtherEqual = other.isEqual(to: secret)
        #expect(!isOtherEqual)
        let shorter = try Secret(copying: Array("correct".utf8), in: arena)
        let isShorterEqual = shorter.isEqual(to: secret)
        #expect(!isShorterEqual)
    }

    @Test("a secret's blocks are wiped when it is dropped", arguments: [SecretArena.Preference.memfdSecret, .mlock])
    func wiped(preference: SecretArena.Preference) throws {
        let arena = try SecretArena(byteCount: 4096, preferring: preference)
        let free = arena.freeByteCount
        do {
            let secret = try Secret(copying: [UInt8](repeating: 0xA5, count: 200), in: arena)
            #expect(arena.freeByteCount == free - 256)
            _ = secret.count
        }
        #expect(arena.freeByteCount == free)
        let whole = try Secret(capacity: free, in: arena) { room in
            #expect(room.allSatisfy { $0 == 0 })
            return 0
        }
        #expect(whole.count == 0)
    }

    @Test("truncate wipes the bytes that it removes")
    func truncate() throws {
        let arena = try SecretArena(byteCount: 4096)
        var secret = try Secret(copying: [UInt8](1...100), in: arena)
        secret.truncate(to: 10)
        #expect(secret.withBytes { Array($0) } == [UInt8](1...10))
        let behind = secret.withBytes { bytes in
            UnsafeRawBufferPointer(start: bytes.baseAddress, count: 100).dropFirst(10).allSatisfy { $0 == 0 }
        }
        #expect(behind)
    }

    @Test("a full arena throws, and a failed fill frees its blocks")
    func exhausted() throws {
        let arena = try SecretArena(byteCount: 4096)
        let free = arena.freeByteCount
        #expect(throws: PlatformError.arenaExhausted(byteCount: free + 1)) {
            _ = try Secret(copying: [UInt8](repeating: 0, count: free + 1), in: arena)
        }
        #expect(throws: PlatformError.secretMissing) {
            _ = try Secret(capacity: 64, in: arena) { _ throws(PlatformError) in throw .secretMissing }
        }
        #expect(arena.freeByteCount == free)
    }

    @Test("secrets never overlap, in whatever order they are made and dropped")
    func noOverlap() throws {
        final class Box {
            let secret: Secret
            let mark: UInt8
            init(_ mark: UInt8, _ count: Int, _ arena: SecretArena) throws {
                secret = try Secret(copying: [UInt8](repeating: mark, count: count), in: arena)
                self.mark = mark
            }
        }
        let arena = try SecretArena(byteCount: 16 * 1024)
        var boxes: [Box] = []
        for step in 0..<2_000 {
            let mark = UInt8(step % 251)
            if let box = try? Box(mark, 1 + step * 37 % 700, arena) { boxes.append(box) }
            if step % 3 == 0 || boxes.count > 20 { boxes.remove(at: step * 7 % boxes.count) }
            if step % 50 == 0 {
                #expect(boxes.allSatisfy { box in box.secret.withBytes { $0.allSatisfy { $0 == box.mark } } })
            }
        }
        boxes = []
        #expect(arena.freeByteCount == arena.byteCount)
    }

    @Test("reflection of the owners of a secret shows none of its bytes")
    func notPrintable() throws {
        let arena = try SecretArena(byteCount: 4096)
        let owner = SharedSecret(try Secret(copying: Array("hunter2-canary".utf8), in: arena))
        var dumped = ""
        dump(owner, to: &dumped)
        for text in [dumped, "\(owner)", String(reflecting: owner)] {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("104, 117, 110"))
        }
    }

    @Test("an mlock arena is locked, and kept from core dumps and child processes")
    func locked() throws {
        let arena = try SecretArena(byteCount: 64 * 1024, preferring: .mlock)
        guard arena.protection == .mlock else {
            #expect(arena.protection == .swappable, "only a small RLIMIT_MEMLOCK may lead here")
            return
        }
        let secret = try Secret(copying: [1, 2, 3], in: arena)
        let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
        let flags = try #require(Self.flags(ofMappingAt: address))
        // locked, not in core dumps, not in children (proc(5)).
        #expect(flags.isSuperset(of: ["lo", "dd", "dc"]))
    }

    private static func flags(ofMappingAt address: UInt) -> Set<String>? {
        guard let file = fopen("/proc/self/smaps", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        var isInside = false
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let range = text.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if range.count == 2, let start = range[0], let end = range[1] { isInside = (start..<end).contains(address) }
            if isInside, text.hasPrefix("VmFlags:") {
                return Set(text.dropFirst(8).split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
        return nil
    }
}
