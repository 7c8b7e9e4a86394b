// SPDX-License-Identifier: Apache-2.0

#if LIBFUZZER
    import CFuzzer
#else
    import Glibc
#endif

/// A program that reads inputs of libFuzzer; without libFuzzer, it reads one file.
public protocol FuzzTarget {
    /// Reads one input. libFuzzer learns of a fault only by a crash, so a check that fails ends the program
    /// (`fatalError`).
    static func run(_ input: UnsafeRawBufferPointer)
}

#if LIBFUZZER
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
#else
    extension FuzzTarget {
        /// Reads the input in the file that the command line names. As for a fault in an input, anything else ends the program:
        /// only `scripts/fuzz.sh` starts it.
        public static func main() {
            guard let file = fopen(CommandLine.arguments[1], "r") else { fatalError("the input cannot be read") }
            defer { fclose(file) }
            var input: [UInt8] = []
            while case let byte = getc(file), byte != EOF { input.append(UInt8(byte)) }
            input.withUnsafeBytes { run($0) }
        }
    }
#endif
