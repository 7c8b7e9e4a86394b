// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// The files of the configuration: `relativityd.toml` and `relativityd.toml.d/*.toml` in each directory, with the names
/// and rules of the UAPI Configuration Files Specification.
package struct ConfigurationFiles: Sendable, Hashable {
    static let maximumFiles = 64

    private static let name = "relativityd.toml"
    private static let suffix = ".toml"
    /// The device number of `/dev/null`. A link to it masks a file.
    private static let null: dev_t = 0x103

    /// The directory of the package's files.
    package var vendor = "/usr/lib/relativityd"
    /// The directory of the administrator's files.
    package var administrator = "/etc/relativityd"
    /// The directory of the user's files.
    package var user: String
    /// The only file, if the command line names one.
    package var named: String?

    package init(user: String, named: String? = nil) {
        self.user = user
        self.named = named
    }

    /// A file that was found, with the facts by which a change is detected.
    package struct Found: Sendable, Hashable {
        package let path: String
        let layer: ConfigurationOrigin.Layer
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int
    }

    /// Lists the files, the first layer first. Masked files are left out. Call it again later to detect a change.
    ///
    /// - Throws: `unreadable` for a directory that exists and cannot be listed, or a missing `named`; `tooManyFiles`.
    package func list() throws(ConfigurationError) -> [Found] {
        if let named {
            do throws(PlatformError) {
                guard let file = try Self.found(.named, named) else { return [] }
                return [file]
            } catch {
                throw Self.error(error, named)
            }
        }
        let ofAdministrator = try Self.parts(administrator)
        // A file of the administrator hides the vendor's file of the same name.
        let ofVendor = try Self.parts(vendor).filter { !ofAdministrator.contains($0) }
        let files =
            ofVendor.compactMap { try? Self.found(.vendor, "\(vendor)/\($0)") }
            + ofAdministrator.compactMap { try? Self.found(.administrator, "\(administrator)/\($0)") }
            + (try Self.parts(user)).compactMap { try? Self.found(.user, "\(user)/\($0)") }
        guard files.count <= Self.maximumFiles else {
            throw ConfigurationError(.tooManyFiles(limit: Self.maximumFiles))
        }
        return files
    }

    /// Reads listed files.
    package static func read(_ files: [Found]) throws(ConfigurationErrors) -> [ConfigurationLayer] {
        var layers: [ConfigurationLayer] = []
        var errors: [ConfigurationError] = []
        for file in files {
            do throws(PlatformError) {
                let bytes = try RegularFile(reading: file.path, maximumBytes: ConfigurationLayer.maximumBytes).bytes
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    errors.append(unreadable(file.path, "it is not UTF-8"))
                    continue
                }
                layers.append(.file(file.layer, path: file.path, text: text))
            } catch {
                errors.append(Self.error(error, file.path))
            }
        }
        if let errors = ConfigurationErrors(errors) { throw errors }
        return layers
    }

    /// Returns a warning for each listed file, and for each of their directories, that other users can write: their text
    /// would name programs that the daemon runs, such as the pinentry.
    package static func warnings(about files: [Found]) -> [String] {
        var places: [String] = []
        for file in files {
            var directories = [UserPath.folder(of: file.path)]
            if directories[0].hasSuffix(".d") { directories.append(UserPath.folder(of: directories[0])) }
            for place in directories.reversed() + [file.path] where !places.contains(place) { places.append(place) }
        }
        let named = files.filter { $0.layer == .named }.map { UserPath.folder(of: $0.path) }
        return places.compactMap { place in
            var facts = stat()
            guard stat(place, &facts) == 0,
                // In such a directory, as /tmp, other users can add files, but not replace the one that is named.
                facts.st_mode & S_ISVTX == 0 || !named.contains(place),
                facts.st_mode & S_IWOTH != 0 || facts.st_mode & S_IWGRP != 0 && facts.st_gid != 0
            else { return nil }
            let sudo = facts.st_uid == geteuid() ? "" : "sudo "
            let name = ShellWord.quote(place)
            return "\(name) belongs to the configuration, and other users can write it; try: \(sudo)chmod go-w \(name)"
        }
    }

    /// Returns the paths in a directory that exist, also as broken links: the main file, then the others by
    /// name.
    private static func parts(_ directory: String) throws(ConfigurationError) -> [String] {
        var facts = stat()
        let main = lstat("\(directory)/\(name)", &facts) == 0 ? [name] : []
        let parts = "\(name).d"
        let path = "\(directory)/\(parts)"
        guard access(path, F_OK) == 0 else { return main }
        let names: [String]
        do throws(PlatformError) {
            names = try DirectoryNames.visible(in: path).filter { $0.hasSuffix(suffix) }
        } catch {
            throw Self.error(error, path)
        }
        guard access(path, X_OK) == 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        return main + names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(parts)/\($0)" }
    }

    /// Returns nil for a masked file.
    ///
    /// - Throws: `PlatformError.system` for a file that does not exist or is in a directory of others.
    private static func found(_ layer: ConfigurationOrigin.Layer, _ path: String) throws(PlatformError) -> Found? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .system(call: "stat", subject: path, errno: errno) }
        guard facts.st_mode & S_IFMT != S_IFCHR || facts.st_rdev != null else { return nil }
        return Found(
            path: path,
            layer: layer,
            inode: facts.st_ino,
            size: facts.st_size,
            seconds: facts.st_mtim.tv_sec,
            nanoseconds: facts.st_mtim.tv_nsec
        )
    }

    private static func unreadable(_ path: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(.unreadable(reason: reason), at: ConfigurationOrigin(.named, file: path))
    }

    private static func error(_ error: PlatformError, _ path: String) -> ConfigurationError {
        switch error {
        case .tooLarge(_, let limit):
            ConfigurationError(.tooLarge(limit: limit), at: ConfigurationOrigin(.named, file: path))
        case .unsafePermissions(_, let reason, _): unreadable(path, "it \(reason)")
        case .system(_, _, let errno): unreadable(path, String(cString: strerror(errno)))
        default: unreadable(path, "\(error)")
        }
    }
}
