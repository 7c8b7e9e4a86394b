// SPDX-License-Identifier: Apache-2.0

import Platform

enum UserName {
    /// From the file alone: a name service could ask the network.
    ///
    /// - Returns: the number where the file has no name.
    static func of(_ user: UInt32) -> String {
        let table = TextFile.read("/etc/passwd", maximumBytes: 1 << 20) ?? ""
        let line = table.split(separator: "\n").first { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 2 && fields[2] == "\(user)"
        }
        return line.map { String($0.prefix { $0 != ":" }) } ?? "\(user)"
    }
}
