// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints

/// A name that a shell may offer in the place of a word.
struct CompletionName {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The name as the completion script of the shell takes it. The shell itself quotes spaces on the line.
    ///
    /// - Returns: nil for a name that a shell could take for more than a name. bash even runs `$(...)` in what it is given,
    ///   and names come from the network.
    func offered(to shell: CompletionShell? = .requesting) -> String? {
        guard isHarmless else { return nil }
        switch shell {
        case .bash?:
            // readline breaks a word at these.
            guard !name.contains(":"), !name.contains("=") else { return nil }
            // The list is expanded once.
            return "'\(name)'"
        // A description would follow the colon.
        case .zsh?: return name.replacing(":", with: #"\:"#)
        default: return name
        }
    }

    /// Letters and digits of every script, single spaces between them, and a few signs.
    private var isHarmless: Bool {
        !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ") && !name.contains("  ")
            && "\(Printable(name, columns: 256))" == name
            && name.unicodeScalars.allSatisfy { scalar in
                let properties = scalar.properties
                return properties.isAlphabetic || properties.numericType != nil
                    || " ._-@/+:=".unicodeScalars.contains(scalar)
            }
    }
}
