// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract

/// The parts of a predicate as an editor shows them: groups (AND, OR) with parts, and tests. NOT belongs to its part.
///
/// The tree is the predicate itself. So a part that was not edited is the same afterwards.
struct PredicateTree: Hashable, Sendable {
    /// The places of a part in its group, of this group in its group, and so on; the outermost one first.
    typealias Path = [Int]

    /// A part in the order of display.
    struct Entry: Hashable, Sendable {
        let path: Path
        let part: Expression
    }

    /// Nil for no condition.
    private(set) var root: Expression?

    init(_ root: Expression?) {
        self.root = root
    }

    /// All parts, each group before its parts.
    var entries: [Entry] {
        var entries: [Entry] = []
        func append(_ part: Expression, _ path: Path) {
            entries.append(Entry(path: path, part: part))
            for (index, inner) in (part.group?.parts ?? []).enumerated() { append(inner, path + [index]) }
        }
        if let root { append(root, []) }
        return entries
    }

    /// The levels of groups and NOT.
    var depth: Int { root?.depth ?? 0 }

    /// Returns the part at a path.
    subscript(path: Path) -> Expression? {
        path.reduce(root) { part, index in
            guard let parts = part?.group?.parts, parts.indices.contains(index) else { return nil }
            return parts[index]
        }
    }

    /// Replaces a part.
    mutating func replace(_ path: Path, with part: Expression) { update(path[...]) { _ in [part] } }

    /// Removes a part. A group without parts is removed too.
    mutating func remove(_ path: Path) { update(path[...]) { _ in [] } }

    /// Adds a part at the end of a group, or after a test. A test without a group becomes a group of both with AND.
    ///
    /// - Returns: the path of the new part.
    mutating func add(_ new: Expression, at path: Path) -> Path {
        guard let part = self[path] else {
            root = new
            return []
        }
        if let group = part.group {
            replace(path, with: part.replacingGroup(PredicateGroup(group.isConjunction, group.parts + [new])))
            return path + [group.parts.count]
        }
        update(path[...]) { [$0, new] }
        return path.isEmpty ? [1] : path.dropLast() + [path[path.count - 1] + 1]
    }

    /// Moves a part out of its group, to the place after it.
    ///
    /// - Returns: the new path; nil if the part is not in a group within a group.
    mutating func moveOut(_ path: Path) -> Path? {
        guard path.count >= 2, let part = self[path] else { return nil }
        let groupPath = Path(path.dropLast())
        guard let group = self[groupPath], var inner = group.group else { return nil }
        inner.parts.remove(at: path[path.count - 1])
        let rest = inner.parts.isEmpty ? [] : [group.replacingGroup(inner)]
        update(groupPath[...]) { _ in rest + [part] }
        return groupPath.dropLast() + [groupPath[groupPath.count - 1] + rest.count]
    }

    /// Moves a part into the group before it, otherwise into the group after it.
    ///
    /// - Returns: the new path; nil if there is no group next to it.
    mutating func moveIn(_ path: Path) -> Path? {
        guard let index = path.last, let part = self[path] else { return nil }
        let groupPath = Path(path.dropLast())
        let before = groupPath + [index - 1]
        if self[before]?.group != nil {
            remove(path)
            return add(part, at: before)
        }
        let after = groupPath + [index + 1]
        guard let next = self[after], let group = next.group else { return nil }
        replace(after, with: next.replacingGroup(PredicateGroup(group.isConjunction, [part] + group.parts)))
        remove(path)
        return path + [0]
    }

    /// Replaces a part by others.
    private mutating func update(_ path: ArraySlice<Int>, _ body: (Expression) -> [Expression]) {
        guard let root else { return }
        let parts = root.updated(path, body)
        self.root = parts.count > 1 ? .and(parts) : parts.first
    }
}

/// The parts of AND or OR; never empty.
struct PredicateGroup: Hashable, Sendable {
    var isConjunction: Bool
    var parts: [Expression]

    init(_ isConjunction: Bool, _ parts: [Expression]) {
        (self.isConjunction, self.parts) = (isConjunction, parts)
    }

    var predicate: Expression { isConjunction ? .and(parts) : .or(parts) }
}

extension Expression {
    /// The predicate without NOT in front.
    var positive: Expression {
        var part = self
        while case .not(let inner) = part.node { part = inner }
        return part
    }

    /// The number of NOT in front.
    var negations: Int {
        var (part, count) = (self, 0)
        while case .not(let inner) = part.node { (part, count) = (inner, count + 1) }
        return count
    }

    /// Returns the predicate with NOT in front.
    func negated(times: Int) -> Expression { (0..<max(0, times)).reduce(self) { part, _ in .not(part) } }

    /// The parts of a group; nil for a test, and for AND and OR without parts.
    var group: PredicateGroup? {
        switch positive.node {
        case .and(let parts) where !parts.isEmpty: PredicateGroup(true, parts)
        case .or(let parts) where !parts.isEmpty: PredicateGroup(false, parts)
        default: nil
        }
    }

    /// Returns a group with the same NOT in front.
    func replacingGroup(_ group: PredicateGroup) -> Expression { group.predicate.negated(times: negations) }

    fileprivate var depth: Int { negations + (group.map { 1 + ($0.parts.map(\.depth).max() ?? 0) } ?? 0) }

    fileprivate func updated(_ path: ArraySlice<Int>, _ body: (Expression) -> [Expression]) -> [Expression] {
        guard let index = path.first else { return body(self) }
        guard var group, group.parts.indices.contains(index) else { return [self] }
        group.parts.replaceSubrange(index...index, with: group.parts[index].updated(path.dropFirst(), body))
        return group.parts.isEmpty ? [] : [replacingGroup(group)]
    }
}
