// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@Suite("Errors of the API")
struct DaemonErrorTests {
    @Test("errors of other interfaces are not converted, and unknown members are omitted")
    func others() {
        #expect(DaemonError(VarlinkError.permissionDenied) == nil)
        let later = VarlinkError("org.relativityd.Manager.Failed", ["message": "m", "new": 1])
        #expect(DaemonError(later) == .failed(.init(message: "m")))
    }

    @Test("each error has an HTTP status of the client or of the server", arguments: DaemonError.Code.allCases)
    func httpStatus(code: DaemonError.Code) {
        #expect((400..<600).contains(code.httpStatus))
    }
}
