import Countersign

/// The values of an item of a list that meets conditions, in a JSON body that a pattern describes.
struct DescribedChoice {
    /// A condition on the item.
    struct Condition: Equatable {
        /// The JSON pointer in the whole body.
        let pointer: String
        /// A text that meets the condition; `nil` if there must be none.
        let met: String?
        /// A text that does not meet it; `nil` if any does.
        let unmet: String?

        /// - Parameter text: A text that meets the condition.
        init(_ condition: ChallengePattern.Named, _ text: String) {
            pointer = condition.name.literal
            met = condition.match == .absent ? nil : text
            unmet = condition.match == .present ? nil : Token.make()
        }

        static func == (one: Self, other: Self) -> Bool { one.pointer == other.pointer && one.met == other.met }
    }

    let conditions: [Condition]
    /// The values of the item and those of decoys, by JSON pointer.
    var values: [(pointer: String, value: JSONTree, decoy: JSONTree)] = []

    /// The item after decoys, of which each meets all conditions but one. A client that takes the first item, or that does not
    /// compare one of the values, gets the value of a decoy.
    var tree: JSONTree {
        let decoys = conditions.indices.map { item(without: $0) }
        return (decoys + [item(without: nil)]).reduce(JSONTree.object([:])) { JSONTree.joined($0, $1, isAppended: true) }
    }

    /// Returns the lists with one item.
    ///
    /// - Parameter unmet: The index of the condition that the item does not meet; `nil` for the item that meets all.
    private func item(without unmet: Int?) -> JSONTree {
        var item = JSONTree.object([:])
        for (index, condition) in conditions.enumerated() {
            guard let text = index == unmet ? condition.unmet : condition.met else { continue }
            item = item.with(.text(text), at: condition.pointer)
        }
        // A condition can be on a captured value.
        for (pointer, value, decoy) in values where unmet.map({ conditions[$0].pointer != pointer }) ?? true {
            item = item.with(unmet == nil ? value : decoy, at: pointer)
        }
        return item
    }
}

extension JSONTree {
    /// Returns a tree with a value at a JSON pointer (RFC 6901), in which `*` stands for an item of a list. Lists have one item,
    /// which can have several values.
    func with(_ value: JSONTree, at pointer: String) -> JSONTree {
        var tree = value
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reversed() {
            let name = step.replacing("~1", with: "/").replacing("~0", with: "~")
            tree = step == "*" || step == "0" ? .list([tree]) : .object([String(name): tree])
        }
        return .joined(self, tree, isAppended: false)
    }

    /// Returns a tree with the values of another.
    ///
    /// - Parameter isAppended: Whether the items of its lists are further items. Otherwise, the only item of a list has the values of
    ///   both.
    static func joined(_ tree: JSONTree, _ other: JSONTree, isAppended: Bool) -> JSONTree {
        switch (tree, other) {
        case (.object(let own), .object(let others)): .object(own.merging(others) { joined($0, $1, isAppended: isAppended) })
        case (.list(let own), .list(let others)) where isAppended: .list(own + others)
        case (.list(let own), .list(let others)) where own.count == 1 && others.count == 1:
            .list([joined(own[0], others[0], isAppended: false)])
        default: other
        }
    }
}
