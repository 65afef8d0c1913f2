import CountersignGenerator
import CountersignSpec
import Foundation
import TestTurns
import Testing

@Suite("The reference of the language", .computes)
struct ReferenceTests {
    @Test func `the documentation has the reference of this version`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Countersign/Countersign.docc/TheSpecLanguage.md")
        let text = SpecReference.text()
        let environment = ProcessInfo.processInfo.environment
        if environment["RECORD_GOLDENS"] == "1", environment["CI"] != "true" {
            try text.write(to: url, atomically: true, encoding: .utf8)
            Issue.record("recorded the reference; run again without RECORD_GOLDENS")
        } else {
            #expect(try String(contentsOf: url, encoding: .utf8) == text, "RECORD_GOLDENS=1 writes it anew")
        }
    }

    @Test func `each link leads to a section, and each section is there once`() {
        let text = SpecReference.text()
        let headings: [String] = text.matches(of: /\n## ([^\n]+)/).map { String($0.1).replacing(" ", with: "-") }
        #expect(Set(headings).count == headings.count)
        let links: [String] = text.matches(of: /<doc:TheSpecLanguage#([^>]+)>/).map { String($0.1) }
        #expect(links.count > 20)
        #expect(Set(links).isSubset(of: Set(headings)))
    }

    @Test func `the section of an override links to a method instead of repeating its keys`() throws {
        let text = SpecReference.text()
        let start = try #require(text.range(of: "\n## An override\n"))
        let rest = text[start.upperBound...]
        let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
        #expect(
            section.contains("the keys of [a method](<doc:TheSpecLanguage#A-method>), without `countersign`, `method`, `title`."))
        #expect(!section.contains("|"))
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `each code is there with its rule, a link to its page and a topic`(code: DiagnosticCode) {
        let text = SpecReference.text()
        #expect(text.contains("\n| <doc:\(code.rawValue)> | "))
        #expect(text.components(separatedBy: "\n- <doc:\(code.rawValue)>\n").count == 2)
    }
}
