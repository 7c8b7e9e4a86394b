// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI

/// The check that all arguments are UTF-8. Swift replaces other bytes by U+FFFD, so that a row would get a value which
/// the user has not written.
enum ArgumentText {
    /// The error for the first argument with other bytes; nil if there is none.
    static var failure: Failure? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: start) == nil {
                let bytes = UnsafeRawBufferPointer(start: start, count: strlen(start))
                return Failure(.usage, "\(subject(of: bytes, index)) is not UTF-8")
            }
        }
        return nil
    }

    /// An argument such as `FIELD=TEXT` is named by its field.
    private static func subject(of bytes: UnsafeRawBufferPointer, _ index: Int) -> String {
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        guard name.count < bytes.count, !name.isEmpty, let name = String(validating: name, as: UTF8.self) else {
            return "argument \(index)"
        }
        return "the value of \(Printable(name))"
    }
}
