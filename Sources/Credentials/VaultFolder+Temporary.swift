// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

extension VaultFolder {
    private static let temporaryPrefix = ".vault."
    private static let temporarySuffix = ".tmp"
    private static let temporaryRandomBytes = 8

    func temporaryName() throws(CredentialError) -> String {
        let bytes = try translated { () throws(PlatformError) in try random.bytes(Self.temporaryRandomBytes) }
        return Self.temporaryPrefix + HexText.encode(bytes) + Self.temporarySuffix
    }

    /// Removes the temporary files of an interrupted save if no save is running.
    func removeStaleFilesIfIdle() {
        // If the lock is held, its holder has removed them already.
        try? VaultLock.hold(in: directory, patience: .zero) { removeStaleFiles() }
    }

    /// Removes temporary files. Call it only under the lock; otherwise one of them may be in use by a save.
    func removeStaleFiles() {
        let descriptor = openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        guard let listing = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if Self.isTemporary(name) { unlinkat(directory.descriptor, name, 0) }
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return false }
        let middle = name.dropFirst(temporaryPrefix.count).dropLast(temporarySuffix.count)
        return HexText.decode(middle)?.count == temporaryRandomBytes
    }
}
