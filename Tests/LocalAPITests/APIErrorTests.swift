// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@Suite("Errors of the API")
struct APIErrorTests {
    @Test("an error survives the way through Varlink", arguments: APIErrorCode.allCases)
    func roundTrip(code: APIErrorCode) throws {
        let error = APIError(code, "it went wrong", hint: "try again", details: ["candidates": ["a", "b"]])
        let sent = error.varlinkError
        #expect(sent.name == code.rawValue)
        #expect(sent.parameters == ["message": "it went wrong", "hint": "try again", "candidates": ["a", "b"]])
        #expect(APIError(sent) == error)
        #expect(APIError(APIError(code, "m").varlinkError) == APIError(code, "m"))
    }

    @Test("errors of others are not ours, and one of ours without a message shows its name")
    func others() {
        #expect(APIError(VarlinkError.permissionDenied) == nil)
        let bare = APIError(VarlinkError(APIErrorCode.failed.rawValue))
        #expect(bare?.message == "org.relativityd.Manager.Failed")
        #expect(bare?.hint == nil)
    }

    @Test("a text for people has the hint in brackets")
    func description() {
        #expect("\(APIError(.vaultLocked, "it is locked", hint: "unlock it"))" == "it is locked (unlock it)")
        #expect("\(APIError(.vaultLocked, "it is locked"))" == "it is locked")
    }
}
