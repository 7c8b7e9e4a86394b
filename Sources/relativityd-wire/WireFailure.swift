// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why there is nothing to read.
enum WireFailure: Error {
    case usage
    case file(String, errno: Int32)
    case tooLong(String, limit: Int)
    case noHex
}

extension WireFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage: "relativityd-wire is run by 'relctl wire'"
        case .file(let path, let code): "cannot read '\(path)': \(String(cString: strerror(code)))"
        case .tooLong(let path, let limit): "'\(path)' is longer than \(limit) bytes"
        case .noHex: "the input is not an even number of hexadecimal digits"
        }
    }
}
