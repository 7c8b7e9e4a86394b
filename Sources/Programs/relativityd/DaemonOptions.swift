// SPDX-License-Identifier: Apache-2.0

import Configuration
import Credentials
import Endpoints
import Glibc
import LocalAPI
import Logging
import Platform

/// The command line of the daemon. It has few options, which are parsed here: swift-argument-parser would stay in the
/// memory of a process that runs all day (docs/decisions).
struct DaemonOptions {
    enum Request {
        case run(DaemonOptions)
        /// Check a vault's file and exit.
        case verify(VerificationOptions)
        /// Check the files that a start would read, and exit.
        case check(DaemonOptions)
        /// Print this text and exit.
        case show(String)
    }

    /// The configuration file, instead of the usual locations.
    var config: String?
    /// The values of `--set`.
    var settings: [ConfigurationLayer] = []
    /// The location of the administrator's servers.
    var endpoints = AdministratorsFiles.Place()
    /// Whether no server is searched for, and connections go to this machine only.
    var isLoopbackOnly = false
    var logLevel = Logger.Level.notice

    /// Parses the command line.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Throws: `StartError.usage` with the first error.
    static func parse(_ arguments: some Collection<String>) throws(StartError) -> Request {
        if let text = contents.answer(to: Array(arguments)) { return .show(text) }
        var options = DaemonOptions()
        var verification = VerificationOptions()
        var isCheck = false
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count == 2 ? parts[1] : nil
            switch parts[0] {
            case "--config":
                guard let path = value ?? rest.next(), !path.isEmpty else { throw .usage("--config needs a file") }
                options.config = path
            case "--set":
                guard let setting = (value ?? rest.next()).flatMap(ConfigurationLayer.option(parsing:)) else {
                    throw .usage("--set needs SECTION.KEY=VALUE")
                }
                options.settings.append(setting)
            case "--endpoints":
                guard let path = value ?? rest.next(), !path.isEmpty else {
                    throw .usage("--endpoints needs a directory")
                }
                options.endpoints = AdministratorsFiles.Place(directory: path, isNamed: true)
            case "--log-level":
                guard let level = (value ?? rest.next()).flatMap(Logger.Level.init(rawValue:)) else {
                    throw .usage(
                        "--log-level is one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                    )
                }
                options.logLevel = level
            case let option where VerificationOptions.names.contains(option):
                try verification.take(option, value) { rest.next() }
            case "--loopback-only" where value == nil: options.isLoopbackOnly = true
            case "--check" where value == nil: isCheck = true
            case "--version" where value == nil: return .show(contents.text)
            case "--help" where value == nil, "-h" where value == nil: return .show(help)
            default: throw .usage("unknown option '\(Printable(argument))'")
            }
        }
        return try verification.request ?? (isCheck ? .check(options) : .run(options))
    }

    private static let contents = ProgramContents(
        "relativityd",
        [.nio, .nioSSL, .log, .toml],
        vaultFormat: VaultFormat.newest,
        interfaces: [
            AdaptersAPI.name, AuditAPI.name, BrokerAPI.name, CredentialsAPI.name, ManagerAPI.name, RegistryAPI.name,
        ]
    )

    private static let help = """
        USAGE: relativityd [--config FILE] [--set KEY=VALUE] [--endpoints DIRECTORY] [--log-level LEVEL]
                           [--loopback-only] [--check]
               relativityd --verify-vault FILE [--provider KIND] [--anchor FILE] [--structure] [--json]

        Finds Relativity servers, stores logins, and opens logged-in connections for the programs of one user.
        Runs in the foreground, as a systemd user service or by hand. relctl controls it.

        OPTIONS:
          --config FILE       The configuration file, instead of the default ones.
          --set KEY=VALUE     A value of the configuration, such as vault.idle_lock=120. Can be repeated.
          --endpoints DIRECTORY  Files of servers, instead of those in /etc/relativityd/endpoints.d.
          --loopback-only     Search for no servers, and connect to loopback addresses only.
          --log-level LEVEL   trace, debug, info, notice (the default), warning, error or critical.
          --check             Check the configuration and the files of servers, then exit.
          --verify-vault FILE Verify a vault or a copy of one, without a daemon and without a change.
                              The passphrase is read from the terminal or as one line of standard input.
          --provider KIND     The key provider that opens it, such as credentials-directory.
          --anchor FILE       Compare it with this anchor.
          --structure         Check the structure only, without a key. This does not prove who wrote the file.
          --json              Print JSON.
          --version           Show the versions of the program, its libraries and formats.
          -h, --help          Show this help.

        """
}

/// `relativityd --check`: reads the files that a start would read, and starts nothing.
struct StartCheck {
    let options: DaemonOptions
    let environment: Environment

    /// Runs the check.
    ///
    /// - Returns: the exit status: 0, or 1 if a start would skip files of the administrator.
    /// - Throws: `StartError` or `PlatformError` if a start would fail.
    func run() throws -> Int32 {
        let loaded = try LoadedConfiguration(options, environment: environment)
        _ = try Directories(environment).runtime()
        let place = options.endpoints
        let problems =
            loaded.effective.configuration.adapterProblems.map { "\($0)" }
            + AdministratorsServers(directory: place.directory, isNamed: place.isNamed).problems.map { "\($0)" }
        for warning in loaded.warnings { Main.write("warning: \(Printable(warning))\n", to: STDOUT_FILENO) }
        for problem in problems { Main.write("\(problem)\n", to: STDOUT_FILENO) }
        return problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
    }
}
