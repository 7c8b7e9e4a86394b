// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Glibc
import Platform

/// Where the configuration is read from: the file named on the command line, else the user's, else the machine's.
struct ConfigurationFile {
    private static let ofMachine = "/etc/relativityd/relativityd.toml"

    let environment: Environment
    let path: String?

    /// - Throws: `StartError.configuration`. A file that does not exist is an error only when it was named.
    func load() throws -> DaemonConfiguration {
        if let path { return try read(path) ?? fail(path, .unreadable(reason: String(cString: strerror(ENOENT)))) }
        let ofUser = try Directories(environment).configuration + "/relativityd.toml"
        return try read(ofUser) ?? read(Self.ofMachine) ?? DaemonConfiguration()
    }

    private func read(_ path: String) throws -> DaemonConfiguration? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let text = TextFile.read(path, maximumBytes: DaemonConfiguration.maximumBytes) else {
            return try fail(path, .unreadable(reason: "no permission, no regular file, or larger than 256 KiB"))
        }
        do {
            var configuration = try DaemonConfiguration(parsing: text)
            configuration.path = path
            return configuration
        } catch {
            return try fail(path, error)
        }
    }

    private func fail(_ path: String, _ error: ConfigurationError) throws -> DaemonConfiguration {
        throw StartError.configuration(path: path, error)
    }
}
