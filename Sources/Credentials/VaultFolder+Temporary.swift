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

    /// Removes what an interrupted save left, if nobody is saving just now.
    func removeStaleFilesIfIdle() {
        // Busy: then the writer that holds the lock has removed them.
        try? VaultLock.hold(in: directory, patience: .zero) { removeStaleFiles() }
    }

    /// Only under the lock: else it could be a file that is being written.
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
