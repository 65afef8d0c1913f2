/// A token of an HTML text.
package enum HTMLToken: Hashable {
    case startTag(HTMLTag)
    /// The element's name in lower case.
    case endTag(String)
    /// Text with resolved character references.
    case text(String)
}

/// A start tag. Element and attribute names are in lower case.
package struct HTMLTag: Hashable {
    package let name: String
    /// The attributes. Of a repeated attribute, the first one is kept.
    package let attributes: [String: String]

    package subscript(_ attribute: String) -> String? { attributes[attribute] }

    /// Returns whether an attribute is present, with any value.
    package func has(_ attribute: String) -> Bool { attributes[attribute] != nil }
}
