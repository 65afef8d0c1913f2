#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A document of a server, such as the metadata of an authorization server.
public struct ProgramDocument: Sendable, Hashable {
    /// A location of a document.
    public struct Place: Sendable, Hashable {
        let url: ProgramTemplate
        /// The name of the well-known path (RFC 8615) before the path of the URL; `nil` for the unchanged URL.
        let wellKnown: String?
        /// Whether the path of the URL is omitted.
        let isRoot: Bool

        /// Returns a location by URL.
        public static func url(_ url: ProgramTemplate) -> Self { Self(url: url, wellKnown: nil, isRoot: false) }

        /// Returns a location whose path is a well-known path followed by that of another URL without a trailing slash (RFC 8414,
        /// section 3.1), or only the well-known path.
        ///
        /// - Parameters:
        ///   - name: The name in the path `/.well-known/`.
        ///   - url: The other URL.
        ///   - isRoot: Whether the well-known path replaces the path.
        public static func wellKnown(_ name: String, of url: ProgramTemplate, isRoot: Bool = false) -> Self {
            Self(url: url, wellKnown: name, isRoot: isRoot)
        }
    }

    /// The locations. After a status from 400 to 499 except 408, 425 and 429, the next one is requested.
    public let places: [Place]
    /// The required values.
    public let json: NamedList<ChallengePattern.Named>
    /// The values to capture.
    public let captures: [ChallengePattern.Capture]
    /// The cache lifetime.
    public let lifetime: Duration

    /// Creates a document.
    public init(
        at places: [Place], json: NamedList<ChallengePattern.Named> = [], captures: [ChallengePattern.Capture],
        for lifetime: Duration
    ) {
        self.places = places
        self.json = json
        self.captures = captures
        self.lifetime = lifetime
    }
}

extension ProgramDocument {
    /// The slots that the locations, the required values, the conditions on items and the allowed origins of URLs use.
    var slots: [Int] {
        let origins = captures.flatMap { capture -> [Int] in
            guard case .url(let places, _) = capture.kind else { return [] }
            return places.compactMap { if case .slot(let slot) = $0 { slot } else { nil } }
        }
        let conditions = Array(json) + captures.flatMap { Array($0.items) }
        return places.flatMap(\.url.slots) + conditions.flatMap { $0.name.slots + $0.match.slots } + origins
    }
}

extension ChallengePattern.Match {
    /// The slots that the comparison uses.
    fileprivate var slots: [Int] {
        switch self {
        case .present, .absent: []
        case .equals(let template), .prefix(let template), .contains(let template), .anyCase(let template): template.slots
        }
    }
}

extension ProgramDocument.Place {
    /// Returns the URL; `nil` if it is invalid or a value is absent.
    package func address(_ values: [ProgramValue]) -> URL? {
        guard let url = url.url(values), let wellKnown else { return url.url(values) }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        var path = isRoot ? "" : parts.percentEncodedPath
        parts.fragment = nil
        if path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = "/.well-known/\(wellKnown)\(path)"
        return parts.url
    }
}
