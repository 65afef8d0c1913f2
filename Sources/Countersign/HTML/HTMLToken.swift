/// One piece of an HTML text.
package enum HTMLToken: Hashable {
    case startTag(HTMLTag)
    /// The element's name in lower case.
    case endTag(String)
    /// With character references resolved.
    case text(String)
}

/// A start tag; names of elements and attributes are in lower case.
package struct HTMLTag: Hashable {
    package let name: String
    /// Of an attribute that is there twice, the first counts.
    package let attributes: [String: String]

    package subscript(_ attribute: String) -> String? { attributes[attribute] }

    /// Whether an attribute is there, with whatever value.
    package func has(_ attribute: String) -> Bool { attributes[attribute] != nil }
}
