// SPDX-License-Identifier: Apache-2.0

extension ProtectedDirectory {
    /// Renames a file that cannot be used, which would otherwise be lost with the next save, to a name that no file set
    /// aside earlier has.
    ///
    /// - Returns: the path that it has now, for messages.
    package func setAside(_ name: String) throws(PlatformError) -> String {
        let taken = Set(try names())
        var number = 1
        while taken.contains("\(name).damaged-\(number)") { number += 1 }
        try rename(name, to: "\(name).damaged-\(number)")
        return path(of: "\(name).damaged-\(number)")
    }
}
