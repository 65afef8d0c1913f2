import CountersignGenerator
import Foundation
import TestTurns
import Testing

@Suite(.takesTurns) struct `Output folder` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `files are written, and nothing else is left or removed`() throws {
        try Data("kept".utf8).write(to: folder.url.appending(path: "Old.generated.swift"))
        try OutputFolder(folder.url).write([GeneratedFile(name: "A.swift", text: "a"), GeneratedFile(name: "B.swift", text: "b")])
        #expect(try folder.names == ["A.swift", "B.swift", "Old.generated.swift"])
        #expect(try folder.text("A.swift") == "a")
    }

    @Test func `only what has changed is written`() throws {
        let output = OutputFolder(folder.url)
        try output.write([GeneratedFile(name: "A.swift", text: "a"), GeneratedFile(name: "B.swift", text: "b")])
        let before = try (folder.identity("A.swift"), folder.identity("B.swift"))
        try output.write([GeneratedFile(name: "A.swift", text: "a"), GeneratedFile(name: "B.swift", text: "c")])
        let after = try (folder.identity("A.swift"), folder.identity("B.swift"))
        #expect(before.0 == after.0 && before.1 != after.1)
        #expect(try folder.text("B.swift") == "c")
    }

    @Test func `a folder that is not there is made`() throws {
        try OutputFolder(folder.url.appending(path: "a/b c")).write([GeneratedFile(name: "A.swift", text: "a")])
        #expect(try folder.text("a/b c/A.swift") == "a")
    }

    @Test func `a failure names the file and what the system says`() throws {
        try FileManager.default.createDirectory(at: folder.url.appending(path: "A.swift/full"), withIntermediateDirectories: true)
        let failure = try #require(throws: WriteFailure.self) {
            try OutputFolder(folder.url).write([GeneratedFile(name: "A.swift", text: "a")])
        }
        #expect(failure.path.hasSuffix("/A.swift"))
        #expect(failure.description.hasPrefix("\(failure.path): error: cannot be written: ") && !failure.reason.isEmpty)
    }
}
