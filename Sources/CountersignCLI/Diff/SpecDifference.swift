import CountersignSpec

// A difference between the specs of two versions, before the rules say which contract it concerns.

/// A difference between two values, two lists or two mappings of specs.
struct SpecDifference {
    /// A part of a path.
    struct Step: Hashable {
        enum Kind {
            /// A key of the language.
            case key
            /// A key that the author chooses.
            case name
            /// An item of a list: its name, or its position from 1.
            case item
        }

        let text: String
        let kind: Kind

        /// Whether the step is a certain key of the language.
        func isKey(_ name: String) -> Bool { kind == .key && text == name }
    }

    /// The documents of two versions that contain a difference: those of a method, or of the landscape.
    struct Documents {
        /// The stem of the method's file; `nil` for the landscape's own document.
        let stem: String?
        let old: DocumentNode?
        let new: DocumentNode?
    }

    let kind: LandscapeChange.Kind
    let documents: Documents
    let path: [Step]
    let old: DocumentNode?
    let new: DocumentNode?
    /// The mappings that contain the key, if the difference is in one.
    let parents: (old: DocumentNode?, new: DocumentNode?)
    /// Whether an added item of a list follows all other ones.
    let isAtEnd: Bool
    let texts: FlowText.Pair
    let location: SourceLocation

    /// The path with the method, such as `SAML.challenge.login-request.status`.
    var subject: String { ([documents.stem ?? "landscape"] + path.map(\.text)).joined(separator: ".") }
}
