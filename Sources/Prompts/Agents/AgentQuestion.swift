// SPDX-License-Identifier: Apache-2.0

/// The file that tells password agents of a question (systemd's Password Agents specification, "Implementing Queriers").
struct AgentQuestion {
    let question: PromptQuestion
    let pid: Int32
    let socket: String
    /// Of CLOCK_MONOTONIC, in microseconds.
    let notAfter: Int64

    /// What agrees, where an agent can ask for text only.
    static let agreement = "yes"

    var text: String {
        """
        [Ask]
        PID=\(pid)
        Socket=\(socket)
        AcceptCached=0
        Echo=\(question.kind == .secret ? 0 : 1)
        NotAfter=\(notAfter)
        Icon=dialog-password
        Id=relativityd
        Message=\(message)

        """
    }

    /// One line: an agent has no more room.
    private var message: String {
        let ask =
            switch question.kind {
            case .secret, .text: question.label + ":"
            case .agreement: "\(question.label)? Type \(Self.agreement) to agree:"
            }
        let facts = ([question.remark].compactMap { $0 } + question.lines).joined(separator: "; ")
        return "relativityd: \(facts). \(ask)"
    }
}
