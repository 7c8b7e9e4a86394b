// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How much the tests of this target try: a bounded share in CI, all of it in `make soak`.
enum Soak {
    static let isOn = getenv("RELATIVITYD_SOAK").map { String(cString: $0) } == "1"

    static func count(_ usual: Int, soak: Int) -> Int { isOn ? soak : usual }
}
