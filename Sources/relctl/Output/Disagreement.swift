// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// That a server was added otherwise than it announces itself: nobody but the user can tell which of them is right.
struct Disagreement {
    let text: String

    /// - Returns: nil where there is none.
    init?(_ endpoint: EndpointSummary) {
        guard let announced = endpoint.announcedUrl else { return nil }
        let id = Printable(endpoint.id)
        text = """
            relctl: note: '\(Printable(endpoint.name))' was added as \(Printable(endpoint.url)), and announces itself as \
            \(Printable(announced)): if that is right, relctl endpoint remove \(id), then add it so

            """
    }
}
