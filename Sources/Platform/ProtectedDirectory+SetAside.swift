// SPDX-License-Identifier: Apache-2.0

extension ProtectedDirectory {
    /// Renames a file that cannot be used, which the next save would overwrite. The new name is one that no earlier
    /// file has.
    ///
    /// - Returns: the new path, for messages.
    package func setAside(_ name: String) throws(PlatformError) -> String {
        let taken = Set(try names())
        var number = 1
        while taken.contains("\(name).damaged-\(number)") { number += 1 }
        try rename(name, to: "\(name).damaged-\(number)")
        return path(of: "\(name).damaged-\(number)")
    }
}
