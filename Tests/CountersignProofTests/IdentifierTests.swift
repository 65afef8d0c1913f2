@testable import CountersignGenerator
import SwiftParser
import SwiftSyntax
import TestTurns
import Testing

@Suite(.computes) struct `Identifiers` {
    @Test func `each keyword of Swift can name a field, a case and a label`() throws {
        let keywords = Self.keywords
        try #require(keywords.count > 200)
        let plain = try #require(SwiftIdentifier("placeholder"))
        let other = Parser.parse(source: Self.everyPosition(of: plain)).tokens(viewMode: .sourceAccurate).map(\.text)
        for keyword in keywords {
            guard let identifier = SwiftIdentifier(keyword) else { continue }
            let tree = Parser.parse(source: Self.everyPosition(of: identifier))
            #expect(!tree.hasError && !tree.hasWarning, "\(keyword)")
            // Apart from the names, the tokens equal those of the same source with any other name.
            let shape = tree.tokens(viewMode: .sourceAccurate).map(\.text)
            let names = Set([identifier.source, identifier.label.source])
            #expect(shape.count == other.count)
            #expect(zip(shape, other).allSatisfy { $0 == $1 || (names.contains($0) && $1 == plain.source) }, "\(keyword)")
        }
    }

    @Test func `a name that Swift does not take as it is gets backticks`() {
        for keyword in Self.keywords {
            guard let identifier = SwiftIdentifier(keyword) else { continue }
            let isValid = keyword.isValidSwiftIdentifier(for: .variableName) && keyword.isValidSwiftIdentifier(for: .memberAccess)
            if !isValid { #expect(identifier.source == "`\(keyword)`") }
        }
    }

    @Test func `the table has keywords only`() {
        #expect(SwiftKeywords.all.subtracting(Self.keywords).isEmpty)
    }

    @Test func `what is no keyword stays as it is`() {
        for name in ["a", "_a", "a1", "aB_", "classes", "É".lowercased()] where SwiftIdentifier(name) != nil {
            #expect(SwiftIdentifier(name)?.source == name)
            #expect(name.isValidSwiftIdentifier(for: .variableName))
        }
    }

    @Test(arguments: ["", "_", "__", "1a", "a b", "a-b", "a.b", "$0", "`a`", "é", "a\n", "a\u{301}", "👍", "a;b", "#if"])
    func `what is no name in ASCII is refused`(name: String) {
        #expect(SwiftIdentifier(name) == nil)
    }

    @Test func `an identifier made of a nasty text is valid`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<4000 {
            let text = generator.nastyText()
            guard let identifier = SwiftIdentifier(text) else { continue }
            #expect(!Parser.parse(source: Self.everyPosition(of: identifier)).hasError)
        }
    }

    @Test(arguments: [
        ("SAPMobileServices", "sapMobileServices"), ("OIDC", "oidc"), ("Contoso", "contoso"), ("IDPlus", "idPlus"), ("A", "a"),
        ("AB1", "ab1"),
        ("ABc", "aBc"), ("already", "already"), ("Default", "`default`"), ("X2Y", "x2Y"),
    ])
    func `the constant of a landscape is named after it`(name: String, constant: String) {
        #expect(SwiftIdentifier(lowerCamel: name)?.source == constant)
    }

    /// All keywords that swift-syntax knows.
    private static var keywords: Set<String> {
        Set((UInt8.min...UInt8.max).compactMap { Keyword(rawValue: $0).map { "\($0)" } })
    }

    /// Returns a source with a name in all positions where templates and plans put names.
    private static func everyPosition(of identifier: SwiftIdentifier) -> String {
        let name = identifier.source
        return """
            struct Parameters {
                var \(name): String
                init(\(name): String = "") {
                    self.\(name) = \(name)
                }
            }
            enum Failure { case \(name)(\(name): Int) }
            let value = Parameters(\(identifier.label.source): "")
            let template = { $0.\(name) }
            let text = "\\(value.\(name))"
            let failure: Failure = .\(name)(1)
            let landscape = Landscape.\(name)
            """
    }
}
