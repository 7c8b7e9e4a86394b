// SPDX-License-Identifier: Apache-2.0

import Configuration
import Glibc
import TestSupport
import Testing

@Suite("Files of the configuration")
struct ConfigurationFilesTests {
    private let home = TemporaryDirectory()

    private var files: ConfigurationFiles {
        var files = ConfigurationFiles(user: home.path(of: "user"))
        files.vendor = home.path(of: "vendor")
        files.administrator = home.path(of: "etc")
        return files
    }

    init() {
        for name in ["vendor", "etc", "user"] {
            mkdir(home.path(of: name), 0o700)
            mkdir(home.path(of: "\(name)/relativityd.toml.d"), 0o700)
        }
    }

    private func write(_ text: String, to name: String) { home.write(Array(text.utf8), to: name) }

    private func names(_ files: ConfigurationFiles) throws -> [String] {
        try files.list().map { String($0.path.dropFirst(home.path.utf8.count + 1)) }
    }

    @Test("files are read by layer and name; those of the administrator hide the vendor's, a link to /dev/null masks")
    func order() throws {
        #expect(try names(files).isEmpty)
        for directory in ["vendor", "etc", "user"] { write("", to: "\(directory)/relativityd.toml") }
        for name in ["50-b", "10-a", "90-c"] { write("", to: "vendor/relativityd.toml.d/\(name).toml") }
        for name in ["50-b.toml", "2.toml", "10.toml", "3.txt", ".4.toml"] {
            write("", to: "etc/relativityd.toml.d/\(name)")
        }
        symlink("/dev/null", home.path(of: "etc/relativityd.toml.d/90-c.toml"))
        write("", to: "user/relativityd.toml.d/50-b.toml")
        #expect(
            try names(files) == [
                "vendor/relativityd.toml.d/10-a.toml", "etc/relativityd.toml", "etc/relativityd.toml.d/10.toml",
                "etc/relativityd.toml.d/2.toml", "etc/relativityd.toml.d/50-b.toml", "user/relativityd.toml",
                "user/relativityd.toml.d/50-b.toml",
            ]
        )
        unlink(home.path(of: "etc/relativityd.toml"))
        #expect(try names(files).first == "vendor/relativityd.toml")
        var named = files
        named.named = home.path(of: "user/relativityd.toml")
        #expect(try names(named) == ["user/relativityd.toml"])
        named.named = home.path(of: "none")
        let error = #expect(throws: ConfigurationError.self) { try named.list() }
        #expect("\(error, default: "")".hasSuffix("/none: the file cannot be read: No such file or directory"))
    }

    @Test("a named file that cannot be found has the reason of the system, and /dev/null is an empty configuration")
    func namedFile() throws {
        write("", to: "user/relativityd.toml")
        var named = files
        named.named = home.path(of: "user/relativityd.toml/x")
        let error = #expect(throws: ConfigurationError.self) { try named.list() }
        #expect(error?.reason == .unreadable(reason: "Not a directory"))
        named.named = "/dev/null"
        #expect(try named.list().isEmpty)
    }

    @Test("a directory of files that is missing is empty, and one that cannot be listed is an error")
    func unlistable() throws {
        let path = home.path(of: "etc/relativityd.toml.d")
        #expect(rmdir(path) == 0)
        #expect(try files.list().isEmpty)
        write("", to: "etc/relativityd.toml.d")
        let error = #expect(throws: ConfigurationError.self) { try files.list() }
        #expect(error?.reason == .unreadable(reason: "Not a directory") && error?.origin?.file == path)
    }

    @Test("a file that is not UTF-8 is an error, and no value is changed")
    func encoding() throws {
        home.write(Array("[vault]\n# caf".utf8) + [0xE9], to: "user/relativityd.toml")
        let found = try files.list()
        let error = try #require(throws: ConfigurationErrors.self) { try ConfigurationFiles.read(found) }.errors.first
        #expect(error?.reason == .unreadable(reason: "it is not UTF-8"))
    }

    @Test("the content has its layer and path; a change of a file is seen")
    func content() throws {
        write("[vault]\nidle_lock = 20", to: "etc/relativityd.toml.d/1.toml")
        write("[api]\nconnections = 20", to: "user/relativityd.toml")
        let found = try files.list()
        let read = try EffectiveConfiguration(ConfigurationFiles.read(found))
        #expect(read.configuration.idleLock == .seconds(20) && read.configuration.connections == 20)
        let origins = read.settings.map(\.origin).filter { $0.layer != .builtIn }
        #expect(origins.map(\.layer) == [.administrator, .user] && origins.allSatisfy { $0.line == 2 })
        #expect(origins.map { $0.file ?? "" } == found.map(\.path))
        #expect(try files.list() == found)
        write("[api]\nconnections = 200", to: "user/relativityd.toml")
        #expect(try files.list() != found)
    }

    @Test("a file or a directory that other users can write is a warning with the repair, and the file is read")
    func writable() throws {
        for name in ["etc/relativityd.toml", "etc/relativityd.toml.d/1.toml", "user/relativityd.toml"] {
            write("", to: name)
            #expect(chmod(home.path(of: name), 0o644) == 0)
        }
        #expect(ConfigurationFiles.warnings(about: try files.list()).isEmpty)
        let places = ["etc", "etc/relativityd.toml.d", "etc/relativityd.toml.d/1.toml", "user/relativityd.toml"]
        for name in places { #expect(chmod(home.path(of: name), name.hasSuffix("1.toml") ? 0o646 : 0o757) == 0) }
        let found = try files.list()
        let repairs = ConfigurationFiles.warnings(about: found).compactMap { $0.split(separator: "; try: ").last }
        #expect(repairs.map { "\($0)" } == places.map { "chmod go-w '\(home.path(of: $0))'" })
        #expect(try ConfigurationFiles.read(found).count == 3)
        // The sticky bit of a directory protects a file that is named, and not a directory of which all files are read.
        for name in places.prefix(2) { #expect(chmod(home.path(of: name), 0o1777) == 0) }
        #expect(ConfigurationFiles.warnings(about: found).count == places.count)
        var named = files
        named.named = home.path(of: "etc/relativityd.toml")
        #expect(ConfigurationFiles.warnings(about: try named.list()).isEmpty)
        // The group of root, which others are not in, does not count.
        for name in places { #expect(chmod(home.path(of: name), 0o770) == 0) }
        var facts = stat()
        #expect(stat(home.path, &facts) == 0)
        #expect(ConfigurationFiles.warnings(about: found).count == (facts.st_gid == 0 ? 0 : 4))
    }

    @Test("files that are too many, too large or not regular are errors")
    func bounds() throws {
        let large = String(repeating: "#", count: 300 << 10)
        write(large, to: "user/relativityd.toml")
        mkfifo(home.path(of: "user/relativityd.toml.d/a.toml"), 0o600)
        mkdir(home.path(of: "user/relativityd.toml.d/b.toml"), 0o700)
        let found = try files.list()
        let errors = try #require(throws: ConfigurationErrors.self) { try ConfigurationFiles.read(found) }.errors
        #expect(
            errors.map { "\($0)" }.map { $0.split(separator: ": ", maxSplits: 1)[1] } == [
                "the file is larger than 262144 bytes", "the file cannot be read: it is not a regular file",
                "the file cannot be read: it is not a regular file",
            ]
        )
        for number in 0..<62 { write("", to: "etc/relativityd.toml.d/\(number).toml") }
        let many = #expect(throws: ConfigurationError.self) { try files.list() }
        #expect(many?.reason == .tooManyFiles(limit: 64))
    }
}
