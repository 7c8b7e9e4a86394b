// SPDX-License-Identifier: Apache-2.0

/// A file system that keeps as little as possible after a loss of power.
///
/// Content that was not synchronised since its last change is torn. Of the changes of names in a directory since it was
/// synchronised, any subset may be present, each rename as a whole. This is weaker than every file system in use, so a
/// file that survives here also survives there.
struct CrashModel {
    /// A file, whatever its names: the number of its creation, 0 for existing files.
    struct File: Hashable {
        let number: Int
        let firstName: String
    }

    /// The file that a name refers to after the crash.
    struct Survivor: Hashable {
        let file: File
        let isWhole: Bool
    }

    /// Changes of names that take effect together. nil removes a name.
    private typealias NameChange = [String: File?]

    private var names: [String: File]
    private var durableNames: [String: File]
    private var pending: [NameChange] = []
    private var torn: Set<File> = []
    private var made = 0

    /// - Parameter existing: paths of files that exist permanently.
    init(existing: Set<String>) {
        names = Dictionary(uniqueKeysWithValues: existing.map { ($0, File(number: 0, firstName: $0)) })
        durableNames = names
    }

    mutating func perform(_ operation: FileOperation) {
        switch operation {
        case .create(let path):
            made += 1
            let file = File(number: made, firstName: path)
            torn.insert(file)
            change([path: file])
        case .change(let path):
            if let file = names[path] { torn.insert(file) }
        case .rename(let old, let new):
            change([new: names[old], old: nil])
        case .exchange(let one, let other):
            change([one: names[other], other: names[one]])
        case .remove(let path):
            change([path: nil])
        case .synchronize(let path):
            if let file = names[path] {
                torn.remove(file)
            } else {
                synchronizeNames(in: path)
            }
        }
    }

    private mutating func change(_ change: NameChange) {
        Self.apply(change, to: &names)
        pending.append(change)
    }

    private mutating func synchronizeNames(in directory: String) {
        func isInside(_ change: NameChange) -> Bool {
            change.keys.contains { $0.split(separator: "/").dropLast() == directory.split(separator: "/")[...] }
        }
        for change in pending where isInside(change) { Self.apply(change, to: &durableNames) }
        pending.removeAll(where: isInside)
    }

    private static func apply(_ change: NameChange, to names: inout [String: File]) {
        for (name, file) in change { names[name] = file }
    }

    /// The possible states of the files after a crash now: one dictionary by path for each state.
    var crashStates: Set<[String: Survivor]> {
        var states: Set<[String: Survivor]> = []
        for chosen in 0..<(1 << pending.count) {
            var names = durableNames
            for (index, change) in pending.enumerated() where chosen & (1 << index) != 0 {
                Self.apply(change, to: &names)
            }
            states.insert(names.mapValues { Survivor(file: $0, isWhole: !torn.contains($0)) })
        }
        return states
    }
}
