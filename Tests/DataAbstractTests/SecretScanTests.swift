// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DataAbstract

@Suite struct SecretScanTests {
    @Test(
        "finds a word for a password with a value, a known password, and the digits of a GUID",
        arguments: [
            "Password=x", "the PASSWORD : x", "pwd=", "a 0123456789abcdef0123456789ABCDEF b",
            "{01234567-89AB-cdef-0123-456789abcdef}", "a01234567-89ab-cdef-0123-456789abcdef0", "say Canary",
        ]
    )
    func found(text: String) {
        #expect(SecretScan(passwords: ["canary"]).findsSecret(in: text))
    }

    @Test(
        "does not find a secret in other texts",
        arguments: [
            "", "Customers", "no password was given", "City=Bern", "2020-01-02", "0123456789abcdef", "canar",
            "01234567-89ab-cdef-0123-456789abcde", "01234567--89ab-cdef-0123-456789abcdef", "deadbeef-cafe",
        ]
    )
    func other(text: String) {
        #expect(!SecretScan(passwords: ["canary", ""]).findsSecret(in: text))
    }
}
