@testable import CountersignGenerator
import SwiftParser
import SwiftSyntax
import TestTurns
import Testing

@Suite(.computes) struct `Comments` {
    @Test func `no text leaves a comment`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<1000 {
            let documentation = DocumentationText(
                generator.nastyText(), discussion: generator.nastyText(),
                callouts: [
                    .parameters([.init(name: generator.nastyText(), summary: generator.nastyText())]),
                    .throws(generator.nastyText()),
                    .since(generator.nastyText()), .remark(generator.nastyText()),
                ])
            let header = CommentText(generator.nastyText())
            let source = (header.lines + documentation.comment.lines + ["let a = 1"]).joined(separator: "\n")
            let tree = Parser.parse(source: source)
            #expect(!tree.hasError && !tree.hasWarning)
            #expect(tree.tokens(viewMode: .sourceAccurate).map(\.text) == ["let", "a", "=", "1", ""], "\(source.debugDescription)")
        }
    }

    @Test func `a comment has no character that reads as something else`() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            for line in DocumentationText(generator.nastyText()).comment.lines {
                #expect(line.hasPrefix("///"))
                for scalar in line.unicodeScalars where scalar != "\u{200C}" && scalar != "\u{200D}" {
                    let unreadable: [Unicode.GeneralCategory] = [
                        .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                    ]
                    #expect(!unreadable.contains(scalar.properties.generalCategory), "U+\(String(scalar.value, radix: 16))")
                }
            }
        }
    }

    @Test func `summary, discussion and list are paragraphs`() {
        let documentation = DocumentationText(
            "Summary.", discussion: "\nOne.\r\n\r\nTwo.\n\n",
            callouts: [.since("1.0"), .remark("Generated from `a/b.yaml`, line 1.")])
        #expect(
            documentation.comment.lines == [
                "/// Summary.", "///", "/// One.", "///", "/// Two.", "///", "/// - Since: 1.0",
                "/// - Remark: Generated from `a/b.yaml`, line 1.",
            ])
    }

    @Test func `one sentence and its place are two lines`() {
        let documentation = DocumentationText("Summary.", callouts: [.remark("Generated from `a/b.yaml`, line 1.")])
        #expect(documentation.comment.lines == ["/// Summary.", "/// - Remark: Generated from `a/b.yaml`, line 1."])
        #expect(DocumentationText("Summary.", discussion: "One.").comment.lines == ["/// Summary.", "///", "/// One."])
    }
}
