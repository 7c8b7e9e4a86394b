// SPDX-License-Identifier: Apache-2.0

import JSON

/// What happens to `relctl top`.
enum TopEvent {
    /// A reply of a call, of a stream each of them.
    case reply(TopCall, JSONObject)
    /// A call has failed, or a stream has ended. The text may hold foreign parts that were made safe.
    case failed(TopCall, message: String, hint: String?)
    /// The time has come that `TopAction.pause` asked for.
    case pauseOver
    case key(TopKey)
    case resized(TopSize)
}

/// What `relctl top` is to do about it.
enum TopAction: Hashable {
    case call(TopCall)
    /// Gives up the streams, and comes back with `TopEvent.pauseOver`.
    case pause(Duration)
    /// Leaves the screen to a conversation with the person.
    case ask(TopQuestion)
    case end
}

/// What cannot be done without asking, by the id of a server.
enum TopQuestion: Hashable {
    case pin(String)
    case repin(String)
    case logIn(String)

    var endpoint: String {
        switch self {
        case .pin(let id), .repin(let id), .logIn(let id): id
        }
    }
}

/// A terminal's size in character cells, within bounds.
struct TopSize: Hashable {
    let columns: Int
    let lines: Int

    init(columns: Int, lines: Int) {
        self.columns = min(max(columns, 1), 500)
        self.lines = min(max(lines, 1), 300)
    }
}
