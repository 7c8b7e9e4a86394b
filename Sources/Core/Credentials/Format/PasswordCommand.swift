// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The command that prints the password of a login, in place of a stored password.
package struct PasswordCommand: Sendable, Hashable {
    /// The program with its arguments.
    package let command: SecretCommand
    /// False if it came with a copy of a vault, and the user has not agreed to it on this machine. It does not run then.
    package let isAgreed: Bool

    /// Combines both values.
    package init(_ command: SecretCommand, isAgreed: Bool) {
        self.command = command
        self.isAgreed = isAgreed
    }
}

extension SecretCommand {
    /// The value of the field: each argument as length u16 and bytes.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        for argument in arguments {
            writer.append(UInt16(truncatingIfNeeded: argument.utf8.count))
            writer.append(argument.utf8)
        }
        return writer.bytes
    }

    /// Parses the output of `encoded`; nil for any other input.
    init?(parsing bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= VaultLimits.commandBytes else { return nil }
        var reader = ByteReader(bytes)
        var arguments: [String] = []
        while !reader.isAtEnd {
            guard let argument = reader.counted(UInt16.self, limit: VaultLimits.commandBytes),
                let text = String(validating: argument, as: UTF8.self)
            else { return nil }
            arguments.append(text)
        }
        self.init(arguments)
    }
}
