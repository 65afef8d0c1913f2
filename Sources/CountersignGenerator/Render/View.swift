import Stencil

/// What a template sees of a part of a plan: a closed set of members, each of them safe.
///
/// Stencil renders an unknown name as nothing. Here it is an error that says the name.
struct View: DynamicMemberLookup, Resolvable {
    private let construct: String
    private let members: [String: Member]

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - construct: What the view shows, for errors.
    ///   - members: What a template can use.
    init(_ construct: String, _ members: [String: Member]) {
        self.construct = construct
        self.members = members
    }

    /// A member, which only safe values can become.
    struct Member {
        fileprivate let value: Any

        /// Text that stands in the source.
        static func text(_ text: some SwiftText) -> Member { Member(value: text.source) }

        /// An expression, laid out for the line that it stands on.
        static func expression(_ expression: SwiftExpression, indentation: Int = 0, after offset: Int = 0) -> Member {
            Member(value: expression.source(indentation: indentation, after: offset))
        }

        /// The lines of a comment.
        static func comment(_ comment: CommentText) -> Member { Member(value: comment.lines) }

        /// Whether a part of the template is there.
        static func flag(_ flag: Bool) -> Member { Member(value: flag) }

        /// A part of the plan.
        static func view(_ view: View) -> Member { Member(value: view) }

        /// Parts of the plan.
        static func views(_ views: [View]) -> Member { Member(value: views) }
    }

    subscript(dynamicMember member: String) -> Any? {
        members[member]?.value ?? Undefined(name: "\(construct).\(member)")
    }

    /// A view is no text: a template has to name a member.
    func resolve(_: Context) throws -> Any? {
        throw TemplateSyntaxError("'\(construct)' is not a text; name a member of it")
    }
}

/// What an unknown name resolves to: an error, also where it is only tested or iterated.
struct Undefined: DynamicMemberLookup, Resolvable {
    let name: String

    subscript(dynamicMember member: String) -> Any? { Undefined(name: "\(name).\(member)") }

    func resolve(_: Context) throws -> Any? {
        throw TemplateSyntaxError("there is no '\(name)'")
    }
}
