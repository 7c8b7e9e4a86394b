// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// `make soak` runs the same tests with larger counts: RELATIVITYD_SOAK=1.
package enum Soak {
    package static let isOn = getenv("RELATIVITYD_SOAK").map { String(cString: $0) } == "1"

    /// The number of repetitions: `usual` in `make test`, `soak` in `make soak`.
    package static func count(_ usual: Int, soak: Int) -> Int { isOn ? soak : usual }
}
