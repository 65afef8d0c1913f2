import CountersignSpec

// Compares the documents of two versions after inheritance, key by key and item by item.

/// The differences between the specs of two versions of a landscape.
struct SpecDifferences {
    private(set) var all: [SpecDifference] = []
    /// The number of differences in documentation, examples and mocks.
    private(set) var documentation = 0
    private var documents = SpecDifference.Documents(stem: nil, old: nil, new: nil)

    /// Keys of the landscape that have no effect of their own: overrides are in the methods, which are compared.
    private static let inheritance: Set = ["countersign", "extends", "methods"]

    init(from old: LandscapeDocuments, to new: LandscapeDocuments) {
        if let before = old.landscape, let after = new.landscape {
            documents = SpecDifference.Documents(stem: nil, old: before, new: after)
            let place = Place(path: [], parents: (before, after))
            compare(Self.own(before), Self.own(after), as: .construct(SpecLanguage.landscape), at: place)
        }
        let olds = Dictionary(old.methods.map { ($0.stem, $0.root) }) { first, _ in first }
        let news = Dictionary(new.methods.map { ($0.stem, $0.root) }) { first, _ in first }
        for stem in Set(olds.keys).union(news.keys).sorted() {
            documents = SpecDifference.Documents(stem: stem, old: olds[stem], new: news[stem])
            let place = Place(path: [], parents: (nil, nil))
            switch (olds[stem], news[stem]) {
            case (let before?, let after?): compare(before, after, as: .construct(SpecLanguage.method), at: place)
            case (let before, let after): add(before == nil ? .added : .removed, before, after, as: nil, at: place)
            }
        }
    }

    private static func own(_ landscape: DocumentNode) -> DocumentNode {
        var own = landscape
        own.content = .mapping(landscape.entries.filter { !inheritance.contains($0.key.value) })
        return own
    }

    /// The place of a comparison.
    private struct Place {
        var path: [SpecDifference.Step]
        var parents: (old: DocumentNode?, new: DocumentNode?)
        /// The places of the key.
        var key: (old: SourceLocation?, new: SourceLocation?) = (nil, nil)
        var isAtEnd = false
    }

    private mutating func add(
        _ kind: LandscapeChange.Kind, _ old: DocumentNode?, _ new: DocumentNode?, as shape: ValueShape?, at place: Place
    ) {
        // A whole file is not shown, and neither is documentation, such as the sentence about an added value.
        let isDocumentation = if case .text(.prose)? = shape { true } else { false }
        let shown = place.path.isEmpty || isDocumentation ? FlowText.Pair(old: nil, new: nil) : FlowText.pair(old, new, as: shape)
        let location = new.map { place.key.new ?? $0.span.location } ?? old.map { place.key.old ?? $0.span.location }
        guard let location else { return }
        all.append(
            SpecDifference(
                kind: kind, documents: documents, path: place.path, old: old, new: new, parents: place.parents,
                isAtEnd: place.isAtEnd, texts: shown, location: location))
    }

    private mutating func compare(_ old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?, at place: Place) {
        switch (old.content, new.content) {
        case (.mapping, .mapping): compareMappings(old, new, as: shape, at: place)
        case (.list(let before), .list(let after)):
            if isShort(old, as: shape), isShort(new, as: shape) {
                compareWhole(old, new, as: shape, at: place)
            } else {
                compareLists(before, after, as: shape, at: place)
            }
        default: compareWhole(old, new, as: shape, at: place)
        }
    }

    private mutating func compareWhole(_ old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?, at place: Place) {
        guard FlowText.canonical(old, as: shape) != FlowText.canonical(new, as: shape), !Self.isScheme(old, new),
            !Self.isScheme(new, old)
        else { return }
        if case .text(.prose)? = shape {
            documentation += 1
            return
        }
        var place = place
        place.key = (old.span.location, new.span.location)
        add(.changed, old, new, as: shape, at: place)
    }

    /// Whether a list has only texts and fits in a line of the report, which then shows it as a whole.
    private func isShort(_ list: DocumentNode, as shape: ValueShape?) -> Bool {
        list.items.allSatisfy { $0.text != nil } && FlowText.text(list, as: shape).count <= FlowText.limit
    }

    /// Whether a text is short for a mapping with the same `scheme` alone.
    private static func isScheme(_ short: DocumentNode, _ full: DocumentNode) -> Bool {
        guard let text = short.text?.value, case .mapping(let entries) = full.content, entries.count == 1 else { return false }
        return full["scheme"]?.text?.value == text
    }

    // MARK: Mappings

    private mutating func compareMappings(_ old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?, at place: Place) {
        for entry in old.entries {
            let (key, inner) = (entry.key.value, shape?.shape(of: entry.key.value))
            let other = new.entry(key)
            let at = self.place(of: key, in: old, new, as: shape, at: place)
            if FlowText.isDocumentation(key, in: shape) {
                if FlowText.canonical(entry.value, as: inner) != other.map({ FlowText.canonical($0.value, as: inner) }) {
                    documentation += 1
                }
            } else if let other {
                compare(entry.value, other.value, as: inner, at: at)
            } else if !isDefault(entry, in: shape) {
                add(.removed, entry.value, nil, as: inner, at: at)
            }
        }
        for entry in new.entries where old.entry(entry.key.value) == nil {
            let key = entry.key.value
            if FlowText.isDocumentation(key, in: shape) {
                documentation += 1
            } else if !isDefault(entry, in: shape) {
                let at = self.place(of: key, in: old, new, as: shape, at: place)
                add(.added, nil, entry.value, as: shape?.shape(of: key), at: at)
            }
        }
        compareOrder(old, new, as: shape, at: place)
    }

    private func place(
        of key: String, in old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?, at place: Place
    ) -> Place {
        let step = SpecDifference.Step(text: key, kind: shape?.construct == nil ? .name : .key)
        return Place(
            path: place.path + [step], parents: (old, new),
            key: (old.entry(key)?.keySpan.location, new.entry(key)?.keySpan.location))
    }

    /// Whether an entry has the value that the key has without it.
    private func isDefault(_ entry: DocumentNode.Entry, in shape: ValueShape?) -> Bool {
        guard let key = shape?.construct?.keys.first(where: { $0.name == entry.key.value }), let text = entry.value.text?.value
        else { return false }
        return key.defaultText == text
    }

    /// Reports the order of keys where it has a meaning: the first version of an operation is its default, and the parameters of
    /// a method are part of the name of its stored credentials.
    private mutating func compareOrder(_ old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?, at place: Place) {
        let before = old.entries.map(\.key.value).filter { new.entry($0) != nil }
        let after = new.entries.map(\.key.value).filter { old.entry($0) != nil }
        if place.path.last?.isKey("parameters") == true, documents.stem != nil, before != after {
            add(.moved, old, new, as: shape, at: place)
        } else if place.path.last?.isKey("versions") == true, let first = new.entries.first?.key.value,
            let was = old.entries.first?.key.value, first != was, after.contains(was)
        {
            let at = self.place(of: first, in: old, new, as: shape, at: place)
            add(.moved, nil, new[first], as: shape?.shape(of: first), at: at)
        }
    }

    // MARK: Lists

    private mutating func compareLists(
        _ old: [DocumentNode], _ new: [DocumentNode], as shape: ValueShape?, at place: Place
    ) {
        let item: ValueShape? = if case .json? = shape { .json } else { shape?.item }
        let match = ListMatch(old, new, as: item)
        for index in match.removed {
            add(.removed, old[index], nil, as: item, at: self.place(ofItem: old[index], index, at: place))
        }
        for (before, after) in match.pairs {
            let at = self.place(ofItem: new[after], after, at: place)
            if match.moved.contains(after) { add(.moved, old[before], new[after], as: item, at: at) }
            compare(old[before], new[after], as: item, at: at)
        }
        let last = match.pairs.map(\.new).max() ?? -1
        for index in match.added {
            var at = self.place(ofItem: new[index], index, at: place)
            at.isAtEnd = index > last
            add(.added, nil, new[index], as: item, at: at)
        }
    }

    private func place(ofItem item: DocumentNode, _ index: Int, at place: Place) -> Place {
        let step = SpecDifference.Step(text: item["name"]?.text?.value ?? "\(index + 1)", kind: .item)
        return Place(path: place.path + [step], parents: (nil, nil))
    }
}
