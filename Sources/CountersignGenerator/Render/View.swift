import Stencil

/// The part of a plan that a template can access: a closed set of members with safe values.
///
/// Stencil renders an unknown name as empty text. A view reports an error with the name instead.
struct View: DynamicMemberLookup, Resolvable {
    private let construct: String
    private let members: [String: Member]

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - construct: The name of the view in errors.
    ///   - members: The members that a template can use.
    init(_ construct: String, _ members: [String: Member]) {
        self.construct = construct
        self.members = members
    }

    /// A member, which can be created only from safe values.
    struct Member {
        fileprivate let value: Any

        /// Returns a member with text as it is in the source.
        static func text(_ text: some SwiftText) -> Member { Member(value: text.source) }

        /// Returns a member with an expression, laid out for its line.
        static func expression(_ expression: SwiftExpression, indentation: Int = 0, after offset: Int = 0) -> Member {
            Member(value: expression.source(indentation: indentation, after: offset))
        }

        /// Returns a member with the lines of a comment.
        static func comment(_ comment: CommentText) -> Member { Member(value: comment.lines) }

        /// Returns a member that decides whether a part of the template is rendered.
        static func flag(_ flag: Bool) -> Member { Member(value: flag) }

        /// Returns a member with a part of the plan.
        static func view(_ view: View) -> Member { Member(value: view) }

        /// Returns a member with parts of the plan.
        static func views(_ views: [View]) -> Member { Member(value: views) }
    }

    subscript(dynamicMember member: String) -> Any? {
        members[member]?.value ?? Undefined(name: "\(construct).\(member)")
    }

    /// Throws, because a view is not text: a template must name one of its members.
    func resolve(_: Context) throws -> Any? {
        throw TemplateSyntaxError("'\(construct)' is not a text; name a member of it")
    }
}

/// The value of an unknown name. It causes an error, even if the template only tests it or iterates over it.
struct Undefined: DynamicMemberLookup, Resolvable {
    let name: String

    subscript(dynamicMember member: String) -> Any? { Undefined(name: "\(name).\(member)") }

    func resolve(_: Context) throws -> Any? {
        throw TemplateSyntaxError("there is no '\(name)'")
    }
}
