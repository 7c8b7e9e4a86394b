// SPDX-License-Identifier: Apache-2.0

/// Metrics in the text format of Prometheus, version 0.0.4: for each its HELP and TYPE, then its samples.
struct MetricsText {
    enum Kind: String {
        /// Only grows, and begins at 0 with the daemon. Its name ends with `_total`.
        case counter
        case gauge
    }

    private(set) var text = ""

    /// - Parameter name: without the prefix that all have.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
        add(kind, name, help, samples: [([:], value)])
    }

    /// - Parameter samples: with labels as pairs of a name and any text.
    mutating func add(
        _ kind: Kind,
        _ name: String,
        _ help: String,
        samples: [(labels: KeyValuePairs<String, String>, value: Int)]
    ) {
        precondition((kind == .counter) == name.hasSuffix("_total"))
        let name = "relativityd_\(name)"
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in samples {
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
        }
    }

    /// In a label's value a backslash, a quote and a line feed must be escaped; in a help the quote may be.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
