// SPDX-License-Identifier: Apache-2.0

/// The version of the daemon, the CLI and the API's text, which are released together (semver.org).
public enum ProjectVersion {
    public static let text = "0.1.0"
}
