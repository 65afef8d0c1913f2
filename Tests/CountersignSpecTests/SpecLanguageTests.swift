import TestTurns
import Testing

@testable import CountersignSpec

/// The tables that the checker, the schema and the reference share.
@Suite(.takesTurns) struct SpecLanguageTests {
    /// All constructs that can be reached from the kinds of files of a version.
    private static func constructs(of version: SpecLanguage.Version = .one) -> [Construct] {
        func reachable(_ shape: ValueShape) -> [Construct] {
            switch shape {
            case .version, .text, .word, .json: []
            case .list(let shape), .oneOrList(let shape), .named(_, _, let shape): reachable(shape)
            case .construct(let construct): whole(construct)
            case .shorthand(let short, let long): reachable(short) + reachable(long)
            }
        }
        func whole(_ construct: Construct) -> [Construct] { [construct] + construct.keys.flatMap { reachable($0.shape) } }
        return switch version {
        case .one: whole(SpecLanguage.landscape) + whole(SpecLanguage.method) + whole(SpecLanguage.discovery)
        case .two: whole(SpecLanguage.programLandscape) + whole(SpecLanguage.program)
        }
    }

    private static func words(_ construct: Construct?, _ key: String) -> Set<String> {
        switch construct?.key(key)?.shape {
        case .word(let words), .named(_, _, .word(let words)), .list(.word(let words)): Set(words.map(\.name))
        case .construct(let construct): Set(construct.keys.map(\.name))
        default: []
        }
    }

    private static func construct(_ title: String, in version: SpecLanguage.Version = .one) -> Construct? {
        constructs(of: version).first { $0.title == title }
    }

    @Test(arguments: SpecLanguage.Version.allCases)
    func `keys are told apart, lower case with dashes, and documented`(_ version: SpecLanguage.Version) {
        for construct in Self.constructs(of: version) {
            #expect(construct.version == version, "\(construct.title)")
            #expect(Set(construct.keys.map(\.name)).count == construct.keys.count, "\(construct.title)")
            #expect(construct.summary.hasSuffix("."))
            for key in construct.keys {
                #expect(key.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(key.name)")
                #expect(key.summary.hasSuffix("."), "\(construct.title): \(key.name)")
                #expect(key.companions.allSatisfy { construct.key($0) != nil })
            }
            #expect(construct.alternatives.allSatisfy { construct.key($0) != nil })
        }
    }

    @Test func `the words of the tables are those of the model`() {
        #expect(Self.words(SpecLanguage.field, "type") == Set(FieldType.all(in: .one).map(\.rawValue)))
        #expect(Self.words(Self.construct("an operation"), "ends") == Set(ResolvedOperation.End.allCases.map(\.rawValue)))
        #expect(Self.words(SpecLanguage.method, "credential") == Set(ResolvedCredential.allCases.map(\.rawValue)))
        let challenge = Self.construct("a challenge")
        #expect(ResolvedScheme.Field.allCases.allSatisfy { challenge?.key($0.rawValue) != nil })
        #expect(
            Self.words(Self.construct("the end of a present step"), "match")
                == Set(ResolvedPresent.FinishMatch.allCases.map(\.rawValue)))
        #expect(
            Self.words(Self.construct("a step"), "fails")
                == Set(ResolvedPresent.PresentFailure.allCases.map(\.rawValue))
                .union(ResolvedRequest.Failure.allCases.map(\.rawValue)).union(ResolvedAsk.Failure.allCases.map(\.rawValue)))
        #expect(Self.words(Self.construct("a step"), "generate") == Set(ResolvedStep.Generated.allCases.map(\.rawValue)))
        #expect(
            Self.words(Self.construct("a client"), "authentication")
                == Set(ResolvedRequest.Authentication.allCases.map(\.rawValue)))
        #expect(
            Self.words(Self.construct("an error case"), "carries") == Set(ResolvedErrorCase.CarriedType.allCases.map(\.rawValue)))
        #expect(
            Self.words(Self.construct("a mock"), "login-redirect") == Set(ResolvedMock.LoginRedirect.allCases.map(\.rawValue)))
        let step = Self.construct("a step to a certificate")
        #expect(Self.words(step, "fails") == Set(DiscoveryFailure.allCases.map(\.rawValue)))
        #expect(Self.words(Self.construct("a kind of key"), "otherwise") == Set(ResolvedKey.Kind.allCases.map(\.rawValue)))
        #expect(Self.words(Self.construct("rounds of input"), "page") == Set(ResolvedRounds.PageKey.allCases.map(\.rawValue)))
        #expect(Self.words(Self.construct("a mock"), "page") == Set(ResolvedMock.Page.allCases.map(\.rawValue)))
    }

    @Test func `the words of version 2 are those of the model`() {
        func words(_ title: String, _ key: String) -> Set<String> { Self.words(Self.construct(title, in: .two), key) }
        #expect(words("a parameter", "type") == Set(FieldType.all(in: .two).map(\.rawValue)))
        #expect(words("a credential", "space") == Set(ResolvedProgram.Credential.Space.allCases.map(\.rawValue)))
        #expect(words("a rejection", "then") == Set(ResolvedProgram.Rejection.Action.allCases.map(\.rawValue)))
        #expect(words("a capture of an answer", "type").isSuperset(of: words("a capture", "type")))
        for method in ResolvedProgram.Call.Method.allCases {
            #expect(TextForm.requestLine.accepts("\(method.rawValue) {endpoint}"))
            #expect(TextForm.requestLine.expectation.contains(method.rawValue))
        }
    }

    @Test func `defaults of the tables are those of the model`() {
        func text(_ title: String, _ key: String) -> String? { Self.construct(title)?.key(key)?.defaultText }
        #expect(text("a mock", "session-cookie") == ResolvedMock().sessionCookie)
        #expect(text("a mock", "login-redirect") == ResolvedMock().loginRedirect.rawValue)
        #expect(text("a mock", "page") == ResolvedMock().page.rawValue)
        #expect(text("a method", "labels") == SpecLanguage.defaultLabel)
        #expect(text("a mock", "user-field") == ResolvedMock().userField)
        #expect(text("a mock", "password-field") == ResolvedMock().passwordField)
        #expect(text("the names of surface types", "session") == ResolvedLandscape.SurfaceNames().session)
        #expect(text("the names of surface types", "task") == ResolvedLandscape.SurfaceNames().task)
        #expect(text("the names of surface types", "observing") == ResolvedLandscape.SurfaceNames().observing)
    }
}

@Suite(.takesTurns) struct SuggestionTests {
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

@Suite(.takesTurns) struct DurationTests {
    @Test(arguments: [("250ms", 250), ("120s", 120_000), ("5m", 300_000), ("1h", 3_600_000), ("0s", 0)])
    func `a duration is a number with a unit`(_ text: String, _ milliseconds: Int) {
        #expect(text.milliseconds == milliseconds)
    }

    @Test(arguments: [("60s", "60"), ("1500ms", "1.5"), ("250ms", "0.25"), ("5ms", "0.005"), ("2h", "7200")])
    func `a duration is written for a server in seconds`(_ text: String, _ seconds: String) {
        #expect(text.seconds == seconds)
    }

    @Test(arguments: ["", "s", "1", "01s", "-1s", "1.5s", "1 s", "1S", "1d", "9223372036854775807h", "٣s"])
    func `other texts are none`(_ text: String) {
        #expect(text.milliseconds == nil)
    }
}
