import CountersignGenerator
import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The examples of message codes, and the pages that are generated from them.
@Suite(.computes) struct MessageExampleTests {
    @Test(arguments: DiagnosticCode.allCases)
    func `each code has one example, whose incorrect files have this code alone and whose corrected files have none`(
        code: DiagnosticCode
    ) throws {
        let examples = MessageExample.all.filter { $0.code == code }
        #expect(examples.count == 1)
        let example = try #require(examples.first)
        let broken = try example.broken.diagnostics()
        #expect(!broken.isEmpty)
        #expect(broken.allSatisfy { $0.code == code }, "\(DiagnosticRenderer().text(broken))")
        let mended = try example.mended.diagnostics()
        #expect(mended.isEmpty, "\(DiagnosticRenderer().text(mended))")
    }

    @Test(arguments: MessageExample.all.map(\.code))
    func `an example shows the file that is incorrect, in lines that fit`(code: DiagnosticCode) throws {
        let example = try #require(MessageExample.of(code))
        let place = try #require(example.broken.diagnostics().first?.location.file)
        #expect((example.broken.own + example.broken.inherited).contains { $0.isShown && $0.name == place })
        for sources in [example.broken, example.mended] {
            #expect(sources.own.contains { $0.isShown })
        }
        let description = try MessageDescription(example, width: MessagePages.width)
        for case .code(_, let lines) in description.parts {
            #expect(!lines.isEmpty)
            for line in lines { #expect(line.count <= MessagePages.width, "\(line)") }
        }
    }

    @Test(arguments: MessageExample.all.map(\.code))
    func `an example has a title, a reason in sentences, and a section that the reference has`(code: DiagnosticCode) throws {
        let example = try #require(MessageExample.of(code))
        #expect(example.title.first?.isLowercase == true || example.title.hasPrefix("YAML"))
        #expect(!example.title.hasSuffix("."))
        #expect(example.reason.hasSuffix("."))
        #expect(!example.reason.contains("\n"))
        if let section = example.section { #expect(SpecReference.text().contains("\n## \(section)\n")) }
    }

    @Test func `the examples stand in the order of the codes`() {
        #expect(MessageExample.all.map(\.code.rawValue) == DiagnosticCode.allCases.map(\.rawValue).sorted())
    }

    @Test func `the documentation has the pages of this version, and no others`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Countersign/Countersign.docc/Messages", directoryHint: .isDirectory)
        let files = try MessagePages.files()
        let environment = ProcessInfo.processInfo.environment
        if environment["RECORD_GOLDENS"] == "1", environment["CI"] != "true" {
            try? FileManager.default.removeItem(at: folder)
            try OutputFolder(folder).write(files)
            Issue.record("recorded the pages of messages; run again without RECORD_GOLDENS")
            return
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        #expect(Set(names) == Set(files.map(\.name)))
        for file in files {
            let page = try? String(contentsOf: folder.appending(path: file.name), encoding: .utf8)
            #expect(page == file.text, "\(file.name): RECORD_GOLDENS=1 writes it anew")
        }
    }
}
