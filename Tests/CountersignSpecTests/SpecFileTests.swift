import CountersignSpec
import Foundation
import TestTurns
import Testing

@Suite(.takesTurns) struct SpecFileTests {
    @Test func `a file that is not there is reported with its path`() {
        let path = "/nowhere/landscape.yaml"
        let (sources, diagnostics) = SpecSources.load(own: [path])
        #expect(sources.own.isEmpty)
        #expect(diagnostics.map(\.code) == [.unreadableFile])
        #expect(diagnostics.first?.location == .init(file: path, line: 1, column: 1))
    }

    @Test func `an unreadable file is the only message about itself`() {
        let reading = SpecReader.read(
            SpecSources(own: [SpecFile("Web.yaml", ValidSpec.method)]),
            unreadable: [Diagnostic(.unreadableFile, "no", at: .init(file: "landscape.yaml", line: 1, column: 1))])
        #expect(reading.landscape == nil)
        #expect(reading.diagnostics.map(\.code) == [.unreadableFile])
    }

    @Test func `an unreadable file among others keeps the landscape from being read`() {
        let reading = SpecReader.read(
            SpecSources(), unreadable: [Diagnostic(.unreadableFile, "no", at: .init(file: "Other.yaml", line: 1, column: 1))])
        #expect(reading.landscape == nil)
        #expect(reading.diagnostics.map(\.code) == [.unreadableFile])
    }

    @Test func `a file is read from disk under the path that was given`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "landscape.yaml").path()
        try Data(ValidSpec.landscape.utf8).write(to: URL(filePath: path))
        let (sources, diagnostics) = SpecSources.load(own: [path])
        #expect(diagnostics.isEmpty)
        #expect(sources.own.map(\.path) == [path])
        #expect(SpecReader.read(sources).landscape?.name.value == "Testing")
    }
}
