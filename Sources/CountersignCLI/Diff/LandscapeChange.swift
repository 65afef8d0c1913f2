import CountersignSpec

// A row of the report: one change, and the users whom it concerns.

/// A change between two versions of a landscape.
struct LandscapeChange: Hashable {
    /// The contract that a change concerns.
    enum Area: String, CaseIterable {
        /// The requests and the recognised responses.
        case wire
        /// The names and values to which extending landscapes, configuration files and applications refer.
        case spec
        /// Stored credentials.
        case store
        /// The declarations of the generated Swift code.
        case swift
    }

    enum Kind: String {
        case added, removed, changed, moved
    }

    let area: Area
    let kind: Kind
    let isBreaking: Bool
    /// The path in the specs, such as `SAML.challenge.login-request.status`, or the name of a declaration.
    let subject: String
    /// The description of the change.
    let text: String
    let old: String?
    let new: String?
    /// The place in the new version, or in the old one if the entry was removed; `nil` for a declaration.
    let location: SourceLocation?
}

extension LandscapeChange: Comparable {
    /// Breaking changes come first, then specs by their places, then declarations.
    static func < (left: Self, right: Self) -> Bool { left.sortKey < right.sortKey }

    private var sortKey: (String, String, Int, Int, String, String) {
        (
            "\(isBreaking ? 0 : 1)\(location == nil ? 1 : 0)", location?.file ?? "", location?.line ?? 0, location?.column ?? 0,
            subject, "\(area.rawValue) \(kind.rawValue) \(text)"
        )
    }
}
