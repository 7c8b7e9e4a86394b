// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Answers to a query for a host's addresses")
struct HostNameAnswersTests {
    private let four = IPAddress("10.0.0.7")
    private let six = IPAddress("2001:db8::7")

    @Test("both families are awaited, and IPv4 comes first, whichever was answered first")
    func both() throws {
        var answers = HostNameAnswers()
        #expect(answers.addresses.isEmpty)
        #expect(answers.answered(.inet6, six) == .waitBriefly)
        #expect(answers.addresses == [try #require(six)])
        #expect(answers.answered(.inet, four) == .finish)
        #expect(answers.addresses == [try #require(four), try #require(six)])
    }

    @Test("a family without an answer delays the other for its grace period only")
    func one() throws {
        var answers = HostNameAnswers()
        #expect(answers.answered(.inet, four) == .waitBriefly)
        #expect(answers.answered(.inet, four) == .wait, "the same family again changes nothing")
        #expect(answers.answered(.inet6, nil) == .finish)
        #expect(answers.addresses == [try #require(four)])
    }

    @Test("after an empty answer the other family is still awaited")
    func none() {
        var answers = HostNameAnswers()
        #expect(answers.answered(.inet, nil) == .wait)
        #expect(answers.answered(.inet6, nil) == .finish)
        #expect(answers.addresses.isEmpty)
    }
}
