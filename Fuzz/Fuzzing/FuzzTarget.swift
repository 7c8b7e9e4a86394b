// SPDX-License-Identifier: Apache-2.0

import CFuzzer

/// A program that libFuzzer drives.
public protocol FuzzTarget {
    /// Reads one input. libFuzzer learns of a fault only by a crash, so a check that fails ends the program
    /// (`fatalError`).
    static func run(_ input: UnsafeRawBufferPointer)
}

/// Set once, before libFuzzer starts: its callback has no other parameters than the input.
nonisolated(unsafe) private var target: (any FuzzTarget.Type)?

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

extension FuzzTarget {
    /// Gives the command line to libFuzzer.
    public static func main() {
        target = self
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments, fuzz)
    }
}
