// SPDX-License-Identifier: Apache-2.0

/// One source of settings, as text.
package enum ConfigurationLayer: Sendable, Hashable {
    /// The text of a file.
    case file(ConfigurationOrigin.Layer, path: String?, text: String)
    /// The environment variable for a key of a plain table.
    case variable(name: String, table: String, key: String, value: String)
    /// `--set TABLE.KEY=VALUE`.
    case option(table: String, key: String, value: String)

    /// The prefix of the names of environment variables.
    package static let variablePrefix = "RELATIVITYD_"
    /// Maximum size of a file in bytes.
    package static let maximumBytes = 256 << 10

    /// Recognises a variable of the configuration, such as `RELATIVITYD_VAULT_IDLE_LOCK` for `vault.idle_lock`. Whether
    /// the table has the key is not checked. Other variables with the prefix have other uses.
    package static func variable(_ name: String, value: String) -> Self? {
        guard name.hasPrefix(variablePrefix) else { return nil }
        let rest = name.dropFirst(variablePrefix.count).lowercased()
        for table in DaemonConfiguration.plainTables where rest.hasPrefix(table + "_") {
            return .variable(name: name, table: table, key: String(rest.dropFirst(table.count + 1)), value: value)
        }
        return nil
    }

    /// Parses `TABLE.KEY=VALUE`.
    ///
    /// - Returns: nil for another form.
    package static func option(parsing text: String) -> Self? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, path.count == 2, !path.contains("") else { return nil }
        return .option(table: path[0], key: path[1], value: parts[1])
    }

    func nodes() throws(ConfigurationError) -> [String: ConfigurationNode] {
        switch self {
        case .file(let layer, let path, let text):
            try [String: ConfigurationNode](
                parsing: text,
                maximumBytes: Self.maximumBytes,
                ConfigurationOrigin(layer, file: path)
            )
        case .variable(let name, let table, let key, let value):
            [String: ConfigurationNode](
                table,
                key,
                text: value,
                ConfigurationOrigin(.environment, variable: name)
            )
        case .option(let table, let key, let value):
            [String: ConfigurationNode](table, key, text: value, ConfigurationOrigin(.option))
        }
    }
}

/// A key of the configuration with its value.
package struct ConfigurationSetting: Sendable, Hashable {
    /// For example `vault.idle_lock`, or `adapter[office].port` in an array of tables.
    package var key: String
    /// The value in the notation of TOML. Nil if the key has none, and for a secret.
    package var value: String?
    package var origin: ConfigurationOrigin
}

/// The merged layers.
package struct EffectiveConfiguration: Sendable, Hashable {
    package let configuration: DaemonConfiguration
    /// All keys of plain tables, and the keys that are set in arrays of tables; in the order of relativityd.toml(5).
    package let settings: [ConfigurationSetting]

    /// Merges layers, of which the later ones win, and reads the result.
    package init(_ layers: [ConfigurationLayer]) throws(ConfigurationErrors) {
        var root: [String: ConfigurationNode] = [:]
        var errors: [ConfigurationError] = []
        for layer in layers {
            do throws(ConfigurationError) { root.merge(try layer.nodes()) } catch { errors.append(error) }
        }
        if let errors = ConfigurationErrors(errors) { throw errors }
        var reader = TableReader(root)
        var configuration = DaemonConfiguration()
        configuration.read(&reader)
        if let errors = ConfigurationErrors(reader.errors + reader.unknownKeys()) { throw errors }
        self.configuration = configuration
        settings = reader.settings
    }
}
