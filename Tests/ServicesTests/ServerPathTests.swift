// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Services

@Suite("Other interfaces of a server")
struct ServerPathTests {
    @Test(
        "a page shows an interface only by its own marks",
        arguments: [
            (ServerPath.oData, 200, "<?xml version='1.0'?><service xmlns='http://www.w3.org/2007/app'>", true),
            (.oData, 200, #"{"@odata.context": "$metadata", "value": []}"#, true),
            (.oData, 200, "<html><body>Welcome</body></html>", nil), (.oData, 401, "<service/>", nil),
            (.oData, 404, "<service/>", false), (.rest, 200, "<Rows/>", true), (.rest, 200, " [1]", true),
            (.rest, 200, "<!DOCTYPE html><p>", nil), (.rest, 200, "", nil),
            (.httpAPI, 200, #"{"swagger": "2.0"}"#, true), (.httpAPI, 200, #"{"openapi": "3.0.0"}"#, true),
            (.httpAPI, 200, #"{"a": "openapi"}"#, nil), (.httpAPI, 200, "openapi: 3.0.0", nil),
            (.httpAPI, 404, #"{"openapi": "3.0.0"}"#, false), (.own, 200, "<Library/>", nil),
        ] as [(ServerPath, Int, String, Bool?)]
    )
    func pages(path: ServerPath, status: Int, body: String, isServed: Bool?) {
        #expect(path.isServed(status: status, Array(body.utf8)) == isServed)
    }

    @Test(
        "only these paths can be requested",
        arguments: ["/", "/BIN", "/odata", "/odata/x", "/api/../bin", "http://h/api/"]
    )
    func others(path: String) {
        #expect(ServerPath(of: path) == .own)
    }
}
