import TestTurns
import Testing

@testable import CountersignSpec

/// The tables that the checker, the schema and the reference share.
@Suite(.computes) struct SpecLanguageTests {
    /// All constructs that can be reached from the kinds of files.
    private static let constructs: [Construct] = {
        func reachable(_ shape: ValueShape) -> [Construct] {
            switch shape {
            case .version, .text, .word, .json: []
            case .list(let shape), .oneOrList(let shape), .named(_, _, let shape): reachable(shape)
            case .construct(let construct): whole(construct)
            case .shorthand(let short, let long): reachable(short) + reachable(long)
            }
        }
        func whole(_ construct: Construct) -> [Construct] { [construct] + construct.keys.flatMap { reachable($0.shape) } }
        return whole(SpecLanguage.landscape) + whole(SpecLanguage.method)
    }()

    private static func words(_ title: String, _ key: String) -> Set<String> {
        switch construct(title)?.key(key)?.shape {
        case .word(let words), .named(_, _, .word(let words)), .list(.word(let words)): Set(words.map(\.name))
        case .construct(let construct): Set(construct.keys.map(\.name))
        default: []
        }
    }

    private static func construct(_ title: String) -> Construct? { constructs.first { $0.title == title } }

    @Test func `keys are distinct, lower case with dashes, and documented`() {
        for construct in Self.constructs {
            #expect(Set(construct.keys.map(\.name)).count == construct.keys.count, "\(construct.title)")
            #expect(construct.summary.hasSuffix("."))
            for key in construct.keys {
                #expect(key.name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(key.name)")
                #expect(key.summary.hasSuffix("."), "\(construct.title): \(key.name)")
                #expect(key.companions.allSatisfy { construct.key($0) != nil })
            }
            #expect(construct.alternatives.allSatisfy { construct.key($0) != nil })
        }
    }

    @Test func `constructs of one title have the same keys`() {
        for (title, namesakes) in Dictionary(grouping: Self.constructs, by: \.title) {
            #expect(Set(namesakes.map { $0.keys.map(\.name) }).count == 1, "\(title)")
        }
    }

    @Test func `there is one version`() {
        #expect(SpecLanguage.Version.allCases.map(\.rawValue) == ["2"])
        for title in ["a landscape", "a method"] {
            #expect(Self.construct(title)?.key("countersign")?.summary == "The version of this language: `2`.")
        }
    }

    @Test func `the words of the tables are those of the model`() {
        #expect(Self.words("a parameter", "type") == Set(FieldType.ofParameters.map(\.rawValue)))
        #expect(Self.words("a setting", "type") == Set(FieldType.ofParameters.map(\.rawValue)))
        #expect(Set(FieldType.ofParameters) == Set(FieldType.allCases))
        #expect(Self.words("an operation", "ends") == Set(ResolvedOperation.End.allCases.map(\.rawValue)))
        #expect(Self.words("a result", "type") == Set(ResolvedOperation.ResultType.allCases.map(\.rawValue)))
        #expect(Self.words("a parameter of an operation", "type") == Set(FieldType.ofOperations.map(\.rawValue)))
        let challenge = Self.construct("a challenge")
        #expect(ResolvedProgram.Scheme.Field.allCases.allSatisfy { challenge?.key($0.rawValue) != nil })
        #expect(Self.words("a login page", "match") == Set(ResolvedProgram.Page.Match.allCases.map(\.rawValue)))
        #expect(Self.words("a method", "failures") == Set(ResolvedProgram.Failure.allCases.map(\.word)))
        #expect(
            Self.words("a step", "failures")
                == Set(ResolvedProgram.Page.Failure.allCases.map(\.rawValue))
                .union(ResolvedProgram.TokenCall.Failure.allCases.map(\.rawValue))
                .union([ResolvedProgram.Failure.cancelled, .missing, .unusable].map(\.word))
                .union(ResolvedProgram.Step.Failure.allCases.map(\.rawValue)))
        #expect(Self.words("a repeated step", "failures") == Self.words("a step", "failures"))
        #expect(Self.words("a step", "generate") == Set(GeneratedValues.Kind.allCases.map(\.rawValue)))
        #expect(Self.words("a credential", "space") == Set(ResolvedProgram.Credential.Space.allCases.map(\.rawValue)))
        #expect(Self.words("a rejection", "then") == Set(ResolvedProgram.Rejection.Action.allCases.map(\.rawValue)))
        #expect(Self.words("a capture of an answer", "type").isSuperset(of: Self.words("a capture", "type")))
        for method in ResolvedProgram.Call.Method.allCases {
            #expect(TextForm.requestLine.accepts("\(method.rawValue) {endpoint}"))
            #expect(TextForm.requestLine.expectation.contains(method.rawValue))
        }
        #expect(Self.words("an error case", "carries") == Set(ResolvedErrorCase.CarriedType.allCases.map(\.rawValue)))
        #expect(Self.words("a mock", "login-redirect") == Set(ResolvedMock.LoginRedirect.allCases.map(\.rawValue)))
        #expect(Self.words("a mock", "page") == Set(ResolvedMock.Page.allCases.map(\.rawValue)))
        let page = Self.construct("a page to fill in")
        #expect(ResolvedProgram.PromptPageKey.allCases.allSatisfy { page?.key($0.rawValue) != nil })
    }

    @Test func `defaults of the tables are those of the model`() {
        func text(_ title: String, _ key: String) -> String? { Self.construct(title)?.key(key)?.defaultText }
        #expect(text("a mock", "session-cookie") == ResolvedMock().sessionCookie)
        #expect(text("a mock", "login-redirect") == ResolvedMock().loginRedirect.rawValue)
        #expect(text("a mock", "page") == ResolvedMock().page.rawValue)
        #expect(text("a mock", "user-field") == ResolvedMock().userField)
        #expect(text("a mock", "password-field") == ResolvedMock().passwordField)
        #expect(text("the Swift of a method", "labels") == SpecLanguage.defaultLabel)
        #expect(text("the Swift of a landscape", "session") == ResolvedLandscape.SurfaceNames().session)
        #expect(text("the Swift of a landscape", "session-labels") == ResolvedLandscape.SurfaceNames().sessionLabels.first)
        #expect(text("the Swift of a landscape", "observing") == ResolvedLandscape.SurfaceNames().observing)
        #expect(text("a login page", "match") == ResolvedProgram.Page.Match.exact.rawValue)
        #expect(text("a credential", "space") == ResolvedProgram.Credential.Space.origin.rawValue)
    }
}

@Suite(.computes) struct SuggestionTests {
    @Test(arguments: [
        ("headres", "headers"), ("Headers", "headers"), ("header", "headers"), ("haeders", "headers"), ("xeaders", "headers"),
        ("stats", "status"), ("nmae", "name"),
    ])
    func `a slip finds what was meant`(_ written: String, _ meant: String) {
        #expect(Suggestion.nearest(to: written, among: ["name", "status", "headers"]) == meant)
    }

    @Test(arguments: ["", "colour", "hdr", "x", String(repeating: "header", count: 100)])
    func `what is not near is not guessed`(_ written: String) {
        #expect(Suggestion.nearest(to: written, among: ["name", "status", "headers"]) == nil)
    }
}

@Suite(.computes) struct DurationTests {
    @Test(arguments: [("250ms", 250), ("120s", 120_000), ("5m", 300_000), ("1h", 3_600_000), ("0s", 0)])
    func `a duration is a number with a unit`(_ text: String, _ milliseconds: Int) {
        #expect(text.milliseconds == milliseconds)
    }

    @Test(arguments: [("60s", "60"), ("1500ms", "1.5"), ("250ms", "0.25"), ("5ms", "0.005"), ("2h", "7200")])
    func `a duration is written for a server in seconds`(_ text: String, _ seconds: String) {
        #expect(text.duration(in: 1000) == seconds)
    }

    @Test(arguments: [("60s", "ms", "60000"), ("90s", "m", "1.5"), ("250ms", "ms", "250"), ("30m", "h", "0.5")])
    func `a duration is written for a server in its unit`(_ text: String, _ unit: String, _ number: String) throws {
        #expect(text.duration(in: try #require(unit.unitInMilliseconds)) == number)
    }

    @Test(arguments: ["", "s", "1", "01s", "-1s", "1.5s", "1 s", "1S", "1d", "9223372036854775807h", "٣s"])
    func `other texts are none`(_ text: String) {
        #expect(text.milliseconds == nil)
    }
}
