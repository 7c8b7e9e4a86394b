// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Who is asked when: one question at a time, callers in line for it, and silence about what was not answered. Pure;
/// `PromptDesk` performs.
struct PromptLine {
    enum Arrival: Equatable {
        /// It is this caller's turn.
        case turn
        /// Later, under this number.
        case wait(Int)
        case full
    }

    private let limits: PromptLimits
    private var isTaken = false
    private var waiting: [Int] = []
    private var lastNumber = 0
    /// Until when nobody is asked about a subject.
    private var quiet: [String: NIODeadline] = [:]

    init(_ limits: PromptLimits) {
        self.limits = limits
    }

    mutating func arrive() -> Arrival {
        guard isTaken else {
            isTaken = true
            return .turn
        }
        guard waiting.count < limits.waiting else { return .full }
        lastNumber += 1
        waiting.append(lastNumber)
        return .wait(lastNumber)
    }

    /// Somebody in line does not wait any longer.
    ///
    /// - Returns: false if it is his turn already.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let index = waiting.firstIndex(of: number) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// A turn is over.
    ///
    /// - Returns: whose is next.
    mutating func leave() -> Int? {
        guard !waiting.isEmpty else {
            isTaken = false
            return nil
        }
        return waiting.removeFirst()
    }

    func isQuiet(about subject: String, at now: NIODeadline) -> Bool {
        quiet[subject].map { now < $0 } ?? false
    }

    /// A person did not answer.
    mutating func unanswered(_ subject: String, at now: NIODeadline) {
        quiet = quiet.filter { now < $0.value }
        quiet[subject] = now + TimeAmount(limits.quiet)
    }

    /// A person answered.
    mutating func answered(_ subject: String) {
        quiet[subject] = nil
    }
}
