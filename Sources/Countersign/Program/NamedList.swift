/// A value that has a name.
public protocol NamedElement: Sendable, Hashable {
    associatedtype Value

    init(_ name: ProgramTemplate, _ value: Value)
}

/// An ordered list of named values, written like a dictionary: `["grant_type": "refresh_token", "refresh_token": .slot(3)]`.
public struct NamedList<Element: NamedElement>: Sendable, Hashable {
    private let elements: [Element]

    /// Creates a list.
    public init(_ elements: [Element]) { self.elements = elements }
}

extension NamedList: RandomAccessCollection {
    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    public subscript(_ index: Int) -> Element { elements[index] }
}

extension NamedList: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (ProgramTemplate, Element.Value)...) {
        self.init(elements.map { Element($0.0, $0.1) })
    }
}

extension NamedList: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
