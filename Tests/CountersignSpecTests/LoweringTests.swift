import CountersignSpec
import TestTurns
import Testing

/// What methods of version 1 become.
@Suite(.takesTurns) struct `Methods of version 1 as programs` {
    /// The page of the valid method with grants, which captures a code.
    private func page(without texts: [String] = []) throws -> ResolvedProgram.Page {
        let method = texts.reduce(ValidSpec.grants) { $0.changing($1, to: "") }
        let reading = SpecReader.read(SpecSources(method: method))
        let landscape = try #require(reading.landscape, "\(reading.diagnostics)")
        let resolved = try #require(landscape.methods.first { !$0.grants.isEmpty })
        return try #require(ResolvedProgram(lowering: resolved.grants[0], of: resolved).pages.first)
    }

    private func names(_ page: ResolvedProgram.Page) -> [[ResolvedProgram.Template.Piece]] {
        guard case .redirect(_, _, let answers) = page.end else { return [] }
        return answers.filter { !$0.isRefusal }.flatMap(\.pattern.query).map(\.name.pieces)
    }

    @Test func `an answer has what is captured of it`() throws {
        #expect(names(try page()) == [[.text("code")]])
    }

    @Test func `an answer of which nothing is captured is known by what binds it to its login`() throws {
        let page = try page(without: ["            capture: { code: code }\n", "            code: \"{captured.code}\"\n"])
        #expect(names(page) == [[.text("state")]])
    }
}
