// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Answers to a question for a host's addresses")
struct HostNameAnswersTests {
    private let four = IPAddress("10.0.0.7")
    private let six = IPAddress("2001:db8::7")

    @Test("both families are waited for, and IPv4 comes first, whichever answered first")
    func both() throws {
        var answers = HostNameAnswers()
        #expect(answers.addresses.isEmpty)
        #expect(answers.answered(.inet6, six) == .waitBriefly)
        #expect(answers.addresses == [try #require(six)])
        #expect(answers.answered(.inet, four) == .finish)
        #expect(answers.addresses == [try #require(four), try #require(six)])
    }

    @Test("a family that has nothing to say holds the other up for its grace only")
    func one() throws {
        var answers = HostNameAnswers()
        #expect(answers.answered(.inet, four) == .waitBriefly)
        #expect(answers.answered(.inet, four) == .wait, "the same family again changes nothing")
        #expect(answers.answered(.inet6, nil) == .finish)
        #expect(answers.addresses == [try #require(four)])
    }

    @Test("an answer of none is waited on for the other family")
    func none() {
        var answers = HostNameAnswers()
        #expect(answers.answered(.inet, nil) == .wait)
        #expect(answers.answered(.inet6, nil) == .finish)
        #expect(answers.addresses.isEmpty)
    }
}
