// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("Texts for values of other types")
struct ExpectedValueTests {
    @Test(
        "what was expected depends on what was found",
        arguments: [
            (.currency, "0.00001", "a number with at most four decimals"), (.currency, "x", "a number such as -1.5"),
            (.currency, "9.0e+300", "a number from -922337203685477.5808 to 922337203685477.5807"),
            (.autoInc, "99999999999999999999", "a whole number from -2147483648 to 2147483647"),
            (.byte, "1.5", "a whole number"), (.byte, "x", "a whole number"),
            (.decimal, "1e40", "a number with at most 28 digits"),
            (.float, "1e400", "a number up to 1.7976931348623157e308"), (.float, "1,5", "a number such as -1.5"),
            (.dateTime, "2026-01-01T10:00:00Z", "a time without a time zone, such as 2020-01-31T12:00:00"),
            (.dateTime, "soon", "a date such as 2020-01-31 or 2020-01-31T12:00:00"),
            (.guid, "123", "a Guid such as 6F9619FF-8B86-D011-B42D-00CF4FC964FF"), (.blob, nil, "Base64"),
        ] as [(DataType, String?, String)]
    )
    func expected(type: DataType, text: String?, form: String) {
        #expect(type.expected(insteadOf: text) == form)
    }

    @Test("a value that does not fit is described by the short name of the type and its values")
    func unfit() {
        #expect(
            "\(EditError.unfit(field: "Id", type: .autoInc))"
                == "no AutoInc in field \"Id\": expected a whole number from -2147483648 to 2147483647"
        )
        #expect(
            "\(EditError.unfit(field: "Code", type: .guid))"
                == "no Guid in field \"Code\": expected a Guid such as 6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        )
    }
}
