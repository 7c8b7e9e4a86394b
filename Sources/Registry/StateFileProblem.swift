// SPDX-License-Identifier: Apache-2.0

/// A file of the daemon that could not be read.
package enum StateFileProblem: Sendable, Hashable {
    /// A damaged file was renamed.
    ///
    /// - Parameter reason: a text that is safe to show.
    case setAside(path: String, movedTo: String, reason: String)
    /// The file is neither used nor written.
    ///
    /// - Parameter reason: a text that is safe to show.
    case unusable(path: String, reason: String)
}
