// SPDX-License-Identifier: Apache-2.0

extension RawRepresentable<String> {
    /// The value with the same word in another enum, of a module that does not import this one.
    ///
    /// - Precondition: both enums have the same words, which `CodeTests` verifies for each pair. No value of another
    ///   process gets here: a word that its own enum does not have is refused when it is decoded.
    package init(twin other: some RawRepresentable<String>) {
        guard let value = Self(rawValue: other.rawValue) else {
            preconditionFailure("\(Self.self) lacks the word \(other.rawValue)")
        }
        self = value
    }
}
