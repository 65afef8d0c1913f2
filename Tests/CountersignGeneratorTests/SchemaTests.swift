import CountersignGenerator
import Foundation
import TestTurns
import Testing

/// `.ci/schema` tests with another validator that the schema describes the language.
@Suite("The JSON Schema", .computes)
struct SchemaTests {
    @Test func `Specs has the schema of this version`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Specs/countersign.schema.json")
        let text = try SpecSchema.text()
        let environment = ProcessInfo.processInfo.environment
        if environment["RECORD_GOLDENS"] == "1", environment["CI"] != "true" {
            try text.write(to: url, atomically: true, encoding: .utf8)
            Issue.record("recorded the schema; run again without RECORD_GOLDENS")
        } else {
            #expect(try String(contentsOf: url, encoding: .utf8) == text, "RECORD_GOLDENS=1 writes it anew")
        }
    }
}
