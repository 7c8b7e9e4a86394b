// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import Endpoints
import Glibc
import Platform
import Prompts
import Registry
import Varlink
import VarlinkService

extension RegistryLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        discovered = configuration.maximumEndpoints
        kept = configuration.keptEndpoints
        changesPerSecond = configuration.changesPerSecond
    }
}

extension ProbeLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init(
            isOn: configuration.probe == .on,
            interval: configuration.probeInterval,
            intervalInUse: configuration.probeIntervalInUse
        )
    }
}

extension AdapterLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        adapters = configuration.maximumAdapters
        idle = configuration.adapterIdle
        longest = configuration.adapterLongest
    }
}

extension StandingAdapter {
    init(_ configuration: AdapterConfiguration) {
        let place: Place =
            switch configuration.form {
            case .socket: .socket
            case .loopback: .loopback(port: configuration.port ?? 0, path: configuration.path)
            }
        self.init(name: configuration.name, login: configuration.login, place: place)
    }
}

extension VarlinkLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        connections = configuration.connections
        connectionsPerProcess = configuration.connectionsPerProcess
    }
}

extension VaultOptions {
    init(_ configuration: DaemonConfiguration, directories: Directories, environment: Environment) {
        self.init(
            directory: directories.data,
            keyProviders: [
                CredentialsDirectory(path: environment["CREDENTIALS_DIRECTORY"]),
                SystemdCreds(directory: directories.data),
                SecretServiceProvider(
                    helper: HelperProgram.path(of: "relativityd-secret-service"),
                    environment: environment
                ),
                KeyFile(directory: directories.state),
            ]
        )
        stateDirectory = directories.state
        lockPolicy = VaultLockPolicy(idle: configuration.idleLock, absolute: configuration.absoluteLock)
        memory = configuration.memory == .memfdSecret ? .memfdSecret : .mlock
    }
}

extension ConfiguredLogins {
    /// Those in `$CREDENTIALS_DIRECTORY`.
    init(_ environment: Environment) {
        self.init(
            directory: environment["CREDENTIALS_DIRECTORY"],
            now: UInt64(clamping: time(nil)),
            endpointID: EndpointID.derived(from:)
        )
    }
}

extension PromptWays {
    init(_ configuration: DaemonConfiguration, environment: Environment) {
        let choice: Choice =
            switch configuration.promptAgent {
            case .auto: .automatic
            case .systemd: .agents
            case .pinentry: .pinentry
            case .nobody: .nothing
            }
        self.init(choice, pinentry: configuration.pinentry, environment: environment)
    }
}
