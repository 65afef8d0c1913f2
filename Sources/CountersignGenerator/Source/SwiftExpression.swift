/// An expression as a tree, which can be laid out for its position in the source.
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
    /// The declarations between the parentheses of an initialiser, on separate lines if one line is too short.
    case parameterList([SwiftExpression])
    /// `{ parameter in body }`, with the body on separate lines if it has several lines or is too long.
    case closure(parameter: SwiftExpression?, body: [Line])
    /// Parts that follow each other on a line, such as `try` and a call.
    case sequence([SwiftExpression])
    /// `first ?? second ?? …`.
    case firstOf([SwiftExpression])
    /// A value and the calls on it, on separate lines if one line is too short.
    case chain(SwiftExpression, [SwiftExpression])
    /// A value after a colon, on the same line or on the next one.
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

    /// One line of source, which can be created only from literals and safe values.
    package struct Verbatim: Sendable {
        let source: String
        fileprivate init(source: String) { self.source = source }
    }

    /// Returns an expression that is a name or a literal.
    static func text(_ text: some SwiftText) -> SwiftExpression { .verbatim(Verbatim(source: text.source)) }

    /// Returns a closure with one expression.
    static func closure(_ parameter: SwiftExpression? = nil, _ body: SwiftExpression) -> SwiftExpression {
        .closure(parameter: parameter, body: [Line(body)])
    }

    /// Returns a call with arguments.
    static func call(_ callee: SwiftExpression, _ arguments: Argument...) -> SwiftExpression { .call(callee, arguments) }

    /// Returns an integer literal.
    static func number(_ number: some BinaryInteger & Sendable) -> SwiftExpression { .verbatim(Verbatim(source: String(number))) }
}

extension SwiftExpression: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self = .verbatim(Verbatim(source: String(describing: value)))
    }

    package init(stringInterpolation: StringInterpolation) {
        self = .verbatim(Verbatim(source: stringInterpolation.source))
    }

    /// Accepts literals of the generator and safe values, but no strings.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) { source += String(describing: literal) }
        package mutating func appendInterpolation(_ text: some SwiftText) { source += text.source }
        package mutating func appendInterpolation(_ expression: SwiftExpression) { source += expression.onOneLine }
    }
}

extension SwiftExpression {
    /// Returns a string literal with interpolated values. A single value is returned as it is.
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
        /// An expression for a `String`, and the shorter one that results in the same text when it is interpolated.
        case value(SwiftExpression, interpolated: SwiftExpression)
    }
}
