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

@Suite struct HostNameQueriesTests {
    private var queries = HostNameQueries<Int, String>()

    @Test("16 queries at a time; one that has ended makes space, and ends once")
    mutating func limit() {
        let numbers = (0..<16).map { queries.begin("\($0)") }
        #expect(!queries.hasCapacity)
        #expect(queries.end(numbers[3])?.reply == "3")
        #expect(queries.end(numbers[3]) == nil)
        #expect(queries.hasCapacity)
    }

    @Test("a query has its own resolvers and answers")
    mutating func answers() throws {
        let (first, second) = (queries.begin("a"), queries.begin("b"))
        queries.add(1, to: first)
        queries.add(2, to: second)
        queries.add(3, to: second)
        let address = try #require(IPAddress("10.0.0.1"))
        #expect(queries.answered(first, .inet, address) == .waitBriefly)
        #expect(queries.answered(second, .inet6, nil) == .wait)
        #expect(queries.answered(first, .inet6, nil) == .finish)
        let ended = queries.end(first)
        #expect(ended?.resolvers == [1])
        #expect(ended?.answers.addresses == [address])
        #expect(queries.answered(first, .inet, address) == .wait, "it has ended")
        #expect(queries.end(second)?.resolvers == [2, 3])
    }

    @Test("a lost connection ends all queries")
    mutating func loss() {
        let number = queries.begin("a")
        _ = queries.begin("b")
        #expect(queries.endAll().sorted() == ["a", "b"])
        #expect(queries.end(number) == nil)
        #expect(queries.endAll().isEmpty)
    }
}
