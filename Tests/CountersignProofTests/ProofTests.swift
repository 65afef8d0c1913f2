import CountersignGenerator
import CountersignProof
import Foundation
import TestTurns
import Testing

@Suite(.computes) struct `Proof of generated files` {
    @Test func `every golden is Swift`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Goldens")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".generated.swift") }
        try #require(paths.count >= 16)
        for path in paths {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(prove([GeneratedFile(name: path, text: text)]) == [])
        }
    }

    @Test func `a failure names the template, the line and the place`() throws {
        let file = GeneratedFile(
            name: "SAML.generated.swift", text: "let a = 1\n\nstruct Ü {\n    var b: = 2\n}\n",
            sections: [.init(template: "Header", firstLine: 1), .init(template: "Parameters", firstLine: 3)])
        let failure = try #require(prove([file]).first)
        #expect(failure.template == "Parameters")
        #expect((failure.line, failure.column) == (4, 12))
        #expect(
            failure.description == """
                SAML.generated.swift:4:12: error: generated code is not valid Swift: expected type in type annotation (template 'Parameters')
                    var b: = 2
                           ^
                """)
    }

    @Test func `warnings of the parser are failures too`() {
        #expect(!prove([GeneratedFile(name: "a", text: "let a = 1; ;\u{0}")]).isEmpty)
    }

    @Test func `a line belongs to the last section that begins before it`() {
        let file = GeneratedFile(
            name: "a", text: "", sections: [.init(template: "Header", firstLine: 1), .init(template: "Errors", firstLine: 5)])
        #expect(file.template(atLine: 1) == "Header")
        #expect(file.template(atLine: 4) == "Header")
        #expect(file.template(atLine: 5) == "Errors")
        #expect(GeneratedFile(name: "a", text: "").template(atLine: 1) == nil)
    }
}
