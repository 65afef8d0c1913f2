@testable import CountersignGenerator
import SwiftParser
import SwiftSyntax
import TestTurns
import Testing

@Suite(.computes) struct `String literals` {
    @Test func `a literal means the text that it was made of`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<4000 {
            let text = generator.nastyText()
            let source = SwiftStringLiteral(text).source
            let literal = try #require(Self.literal(source), "\(source.debugDescription)")
            // Compared by scalars, because strings that are canonically equivalent are equal.
            #expect(literal.representedLiteralValue.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(source)")
        }
    }

    @Test func `a literal has no character that reads as something else`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2000 {
            for scalar in SwiftStringLiteral(generator.nastyText()).source.unicodeScalars where scalar != " " {
                let category = scalar.properties.generalCategory
                let unreadable: [Unicode.GeneralCategory] = [
                    .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator,
                ]
                #expect(!unreadable.contains(category), "U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func `text around a value keeps its meaning`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            let (before, after) = (generator.nastyText(), generator.nastyText())
            let source = SwiftExpression.joinedText([
                .text(before), .value("value", interpolated: "value"), .text(after),
            ]).onOneLine
            let literal = try #require(Self.literal(source), "\(source.debugDescription)")
            // swift-syntax cuts the text behind each escaped line end.
            let parts = literal.segments.split(omittingEmptySubsequences: false) { $0.is(ExpressionSegmentSyntax.self) }
            let meanings = parts.map { part in
                part.compactMap { $0.as(StringSegmentSyntax.self) }.flatMap { Self.meaning(of: $0.content.text) }
            }
            #expect(meanings == [Array(before.unicodeScalars), Array(after.unicodeScalars)], "\(source.debugDescription)")
        }
    }

    /// Returns the literal that a source consists of; `nil` if it is not a single literal.
    private static func literal(_ source: String) -> StringLiteralExprSyntax? {
        let tree = Parser.parse(source: source)
        guard !tree.hasError, !tree.hasWarning, tree.statements.count == 1 else { return nil }
        return tree.statements.first?.item.as(StringLiteralExprSyntax.self)
    }

    private static func meaning(of segment: String) -> [Unicode.Scalar] {
        literal("\"\(segment)\"")?.representedLiteralValue.map { Array($0.unicodeScalars) } ?? []
    }
}
