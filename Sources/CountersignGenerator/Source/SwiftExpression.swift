/// An expression as a tree, so that it can be laid out for the place where it stands.
///
/// A literal in the generator's own source is taken as it is, and only ``SwiftText`` can be interpolated:
/// `"settings.map { \(name)(settingsParameters: $0) }"`.
package indirect enum SwiftExpression: Sendable {
    /// Text on one line.
    case verbatim(Verbatim)
    /// `callee(label: value, …)`.
    case call(SwiftExpression, [Argument])
    /// `[element, …]`.
    case list([SwiftExpression])
    /// The declarations between the parentheses of an initialiser: between lines of their own where one line is too short.
    case parameterList([SwiftExpression])
    /// `{ parameter in body }`, with the body on lines of its own where it has several or is too long.
    case closure(parameter: SwiftExpression?, body: [Line])
    /// Parts that follow each other on a line, such as `try` and a call.
    case sequence([SwiftExpression])
    /// `first ?? second ?? …`.
    case firstOf([SwiftExpression])
    /// A value and what is called on it, on lines of its own where one is too short.
    case chain(SwiftExpression, [SwiftExpression])
    /// What follows a colon: on the same line, or on one of its own.
    case following(SwiftExpression)

    /// An argument of a call.
    package struct Argument: Sendable {
        let label: SwiftExpression?
        let value: SwiftExpression

        init(_ label: SwiftExpression? = nil, _ value: SwiftExpression) {
            self.label = label
            self.value = value
        }

        init(_ label: SwiftIdentifier, _ value: SwiftExpression) {
            self.init(.text(label.label), value)
        }
    }

    /// A line of a closure's body.
    package struct Line: Sendable {
        let depth: Int
        let expression: SwiftExpression

        init(_ expression: SwiftExpression, depth: Int = 0) {
            self.expression = expression
            self.depth = depth
        }
    }

    /// One line of source: only literals and safe values get in.
    package struct Verbatim: Sendable {
        let source: String
        fileprivate init(source: String) { self.source = source }
    }

    /// An expression that is a name or a literal.
    static func text(_ text: some SwiftText) -> SwiftExpression { .verbatim(Verbatim(source: text.source)) }

    /// A closure of one expression.
    static func closure(_ parameter: SwiftExpression? = nil, _ body: SwiftExpression) -> SwiftExpression {
        .closure(parameter: parameter, body: [Line(body)])
    }

    /// A call with arguments.
    static func call(_ callee: SwiftExpression, _ arguments: Argument...) -> SwiftExpression { .call(callee, arguments) }

    /// A whole number.
    static func number(_ number: some BinaryInteger & Sendable) -> SwiftExpression { .verbatim(Verbatim(source: String(number))) }
}

extension SwiftExpression: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self = .verbatim(Verbatim(source: String(describing: value)))
    }

    package init(stringInterpolation: StringInterpolation) {
        self = .verbatim(Verbatim(source: stringInterpolation.source))
    }

    /// Takes literals of the generator and safe values, no strings.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) { source += String(describing: literal) }
        package mutating func appendInterpolation(_ text: some SwiftText) { source += text.source }
        package mutating func appendInterpolation(_ expression: SwiftExpression) { source += expression.onOneLine }
    }
}

extension SwiftExpression {
    /// A string literal with values in it; a value alone is taken as it is.
    static func joinedText(_ parts: [TextPart]) -> SwiftExpression {
        if parts.count == 1, case .value(let value, _) = parts[0] { return value }
        var source = "\""
        for part in parts {
            switch part {
            case .text(let text): source += SwiftStringLiteral.escaped(text)
            case .value(_, let interpolated): source += "\\(\(interpolated.onOneLine))"
            }
        }
        return .verbatim(Verbatim(source: source + "\""))
    }

    /// A part of a text.
    enum TextPart {
        case text(String)
        /// An expression for a `String`, and the shorter one that gives the same text where it is interpolated.
        case value(SwiftExpression, interpolated: SwiftExpression)
    }
}
