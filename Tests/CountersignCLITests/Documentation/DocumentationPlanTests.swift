import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

@Suite(.computes) struct DocumentationPlanTests {
    private static let outline = #"""
        {
          "name": "library", "path": "/package",
          "products": [
            { "name": "Loans", "targets": ["Loans", "Books"], "type": { "library": ["automatic"] } },
            { "name": "Books", "targets": ["Books"], "type": { "library": ["automatic"] } },
            { "name": "tool", "targets": ["tool"], "type": { "executable": null } },
            { "name": "Helper", "targets": ["Helper"], "type": { "plugin": null } }
          ],
          "targets": [
            { "name": "Loans", "c99name": "Loans", "path": "Sources/Loans", "type": "library", "target_dependencies": ["Inner"] },
            { "name": "Inner", "c99name": "Inner", "path": "Sources/Inner", "type": "library", "target_dependencies": ["Books"] },
            { "name": "Books", "c99name": "Books", "path": "Sources/Books", "type": "library" },
            { "name": "tool", "c99name": "tool", "path": "Sources/tool", "type": "executable", "target_dependencies": ["Loans"] }
          ]
        }
        """#

    private func plan(_ text: String = DocumentationPlanTests.outline, only names: [String] = []) throws -> DocumentationPlan {
        let outline = try JSONDecoder().decode(PackageOutline.self, from: Data(text.utf8))
        return try DocumentationPlan(of: outline, only: names) { $0.hasSuffix("Books") ? $0 + "/Books.docc" : nil }
    }

    @Test func `the library targets of library products are documented, each once`() throws {
        let plan = try plan()
        #expect(plan.package == "library")
        #expect(
            plan.modules == [
                .init(name: "Loans", catalog: nil, dependencies: ["Books"]),
                .init(name: "Books", catalog: "/package/Sources/Books/Books.docc", dependencies: []),
            ])
    }

    @Test func `chosen modules are documented alone, without links to others`() throws {
        #expect(try plan(only: ["Loans"]).modules == [.init(name: "Loans", catalog: nil, dependencies: [])])
    }

    @Test func `a module that there is not is named with those that there are`() throws {
        let problem = try #require(throws: CommandProblem.self) { try plan(only: ["Loans", "tool"]) }
        #expect(problem.exit == CommandExit.usage)
        #expect(problem.description.contains("'tool'"))
        #expect(problem.remedy == "There are: Loans, Books.")
    }

    @Test func `a package without a library has no documentation`() throws {
        let text = #"{ "name": "empty", "path": "/package", "products": [], "targets": [] }"#
        let problem = try #require(throws: CommandProblem.self) { try plan(text) }
        #expect(problem.exit == CommandExit.badData)
    }

    @Test func `a module is converted with its catalog, its symbols and the archives that it links to`() throws {
        let tools = try DocumentationTools(environment: ["PATH": "/bin", "DOCC_EXEC": "/docc"], swift: URL(filePath: "/swift"))
        let conversion = DocumentationConversion(
            tools: tools, console: RecordedConsole().console, graphs: ["Loans": URL(filePath: "/graphs/Loans")],
            work: URL(filePath: "/out"))
        let arguments = conversion.arguments(
            for: .init(name: "Loans", catalog: "/Loans.docc", dependencies: ["Books"]), diagnostics: URL(filePath: "/out/a.json"))
        #expect(
            arguments == [
                "convert", "/Loans.docc", "--fallback-display-name", "Loans", "--fallback-bundle-identifier", "Loans",
                "--additional-symbol-graph-dir", "/graphs/Loans", "--enable-experimental-external-link-support", "--dependency",
                "/out/Books.doccarchive", "--transform-for-static-hosting", "--diagnostics-file", "/out/a.json", "--output-path",
                "/out/Loans.doccarchive",
            ])
    }

    @Test func `only warnings are counted`() {
        let file = #"{ "diagnostics": [{ "severity": "warning" }, { "severity": "note" }, { "severity": "warning" }] }"#
        #expect(DoccDiagnostics.warnings(in: Data(file.utf8)) == 2)
        #expect(DoccDiagnostics.warnings(in: Data("<html>".utf8)) == 0)
    }
}
