// SPDX-License-Identifier: Apache-2.0

import LocalAPI

extension TopState {
    private static let longestFilter = 60

    mutating func press(_ key: TopKey) -> [TopAction] {
        if move(key) { return [] }
        switch mode {
        case .browsing: return command(key)
        case .filtering:
            type(key)
            return []
        case .help:
            mode = .browsing
            return key == .text("q") ? [.end] : []
        }
    }

    /// - Returns: false for a key that is none for going through the list.
    private mutating func move(_ key: TopKey) -> Bool {
        guard mode != .help else { return false }
        let page = max(1, TopLayout(size).listLines - 1)
        switch key {
        case .up: list.move(by: -1)
        case .down: list.move(by: 1)
        case .pageUp: list.move(by: -page)
        case .pageDown: list.move(by: page)
        case .home: list.move(by: -list.count)
        case .end: list.move(by: list.count)
        default: return false
        }
        return true
    }

    private mutating func type(_ key: TopKey) {
        switch key {
        case .enter: mode = .browsing
        case .escape:
            list.filter = ""
            mode = .browsing
        case .backspace: list.filter.unicodeScalars.removeLast(list.filter.isEmpty ? 0 : 1)
        case .text(let scalar) where list.filter.unicodeScalars.count < Self.longestFilter:
            list.filter.unicodeScalars.append(scalar)
        default: break
        }
    }

    private mutating func command(_ key: TopKey) -> [TopAction] {
        switch key {
        case .tab:
            let next = (Pane.allCases.firstIndex(of: pane) ?? 0) + 1
            pane = Pane.allCases[next % Pane.allCases.count]
        case .escape: list.filter = ""
        case .text(let letter): return command(letter)
        default: break
        }
        return []
    }

    private mutating func command(_ letter: Unicode.Scalar) -> [TopAction] {
        switch letter {
        case "q": return [.end]
        case "?": mode = .help
        case "/": mode = .filtering
        case "a": list.showsHidden.toggle()
        case "j": list.move(by: 1)
        case "k": list.move(by: -1)
        case "g": list.move(by: -list.count)
        case "G": list.move(by: list.count)
        default: return concern(letter)
        }
        return []
    }

    /// Keys that do something with the chosen server.
    private mutating func concern(_ letter: Unicode.Scalar) -> [TopAction] {
        guard let server = list.chosen else { return [] }
        switch letter {
        case "p": return begin(.probe(server.id))
        case "o": return begin(.openAdapter(server.id))
        case "h": return begin(.setHidden(server.id, !server.hidden))
        case "i": return [.ask(server.state == .conflict ? .repin(server.id) : .pin(server.id))]
        case "l": return [.ask(.logIn(server.id))]
        default: return []
        }
    }

    /// The same is not done twice at a time, and not too much at once.
    private mutating func begin(_ call: TopCall) -> [TopAction] {
        guard !running.contains(call), running.count < Self.mostCalls else { return [] }
        running.insert(call)
        return [.call(call)]
    }
}
