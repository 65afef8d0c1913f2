import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// Failures for which a method has no error become errors of the runtime, with the origin of the failure.
@Suite(.timeLimit(.minutes(10))) struct `Failures that a method has no error for` {
    // MARK: Tokens

    /// A grant without errors of its own.
    private struct BareGrant: ProgramParameters {
        static let program = method([
            .token(TokenCall(ProgramTemplate(.slot(0)), form: [HTTPCall.Member("a", "b")]))
        ])
        let url: URL

        var slotValues: [ProgramValue] { [.url(url)] }

        static func method(_ steps: [ProgramStep]) -> MethodProgram {
            MethodProgram(
                name: "Bare", grant: "bare", summary: "Without errors.",
                slots: [.parameter("url"), .parameter("callback")], challenges: [],
                credential: CredentialShape(destinations: [], isForRequested: true, token: CredentialShape.Token()),
                acquire: steps)
        }
    }

    /// A grant with a page and without errors of its own.
    private struct BarePage: ProgramParameters {
        static let program = BareGrant.method([
            .present(
                LoginPage(
                    ProgramTemplate(.slot(0)), query: [], redirect: 1, verify: [HTTPCall.Member("state", "s")],
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("refused", query: [ChallengePattern.Named("error", .present)]), isRefusal: true)
                    ]))
        ])
        let url, callback: URL

        var slotValues: [ProgramValue] { [.url(url), .url(callback)] }
    }

    private static let address = "https://login.example/token?key=c4n4ry"

    /// Returns the error of a grant without errors of its own.
    private func error(of grant: some ProgramParameters, presenter: (any WebPresenter)? = nil, _ transport: ScriptedTransport)
        async throws -> CountersignError
    {
        let authenticator = GrantAuthenticator(
            grant, session: Session(configuration: .test(), transport: transport), presenter: presenter)
        return try await #require(throws: CountersignError.self) { _ = try await authenticator.authenticate() }
    }

    @Test(arguments: [500, 307, 200]) func `a token endpoint that gives no token is named, with its status`(
        _ status: Int
    ) async throws {
        let error = try await error(
            of: BareGrant(url: try url(Self.address)), ScriptedTransport { _ in Reply(status, body: ResponseBody(bytes: [0])) })
        #expect(error.code == .tokenRequestFailed)
        #expect(error.requestMethod == "POST")
        #expect(error.origin?.description == "https://login.example")
        #expect(error.status == status)
        expectUsefulTexts(error, naming: "Bare POST https://login.example status \(status)")
    }

    @Test func `a token endpoint that cannot be reached is named`() async throws {
        let error = try await error(
            of: BareGrant(url: try url(Self.address)),
            ScriptedTransport { _ in throw TransportError(.connect, detail: "nobody is there", requestMayHaveBeenProcessed: false) }
        )
        #expect(error.code == .tokenRequestFailed)
        #expect(error.status == nil)
        expectUsefulTexts(error, naming: "Bare POST https://login.example: ")
    }

    @Test func `a server that refuses in a redirect is named`() async throws {
        let callback = try #require(URL(string: "com.example:/callback"))
        let presenter = ScriptedPresenter { presentation in
            WebPresentationResult(
                finishURL: callback.appending(queryItems: [
                    URLQueryItem(name: "error", value: "access_denied"), URLQueryItem(name: "error_description", value: "c4n4ry"),
                    URLQueryItem(name: "state", value: "s"),
                ]), cookies: presentation.cookies)
        }
        let error = try await error(
            of: BarePage(url: try url(Self.address), callback: callback), presenter: presenter,
            ScriptedTransport { _ in Reply(500) })
        #expect(error.code == .refusedByServer)
        #expect(error.origin?.description == "https://login.example")
        expectUsefulTexts(error, naming: "access_denied")
    }

    // MARK: Credentials of the application

    @Test(arguments: [
        (CredentialFailure?.none, CountersignError.Code.credentialMissing), (.missing, .credentialMissing),
        (.cancelled, .cancelled), (.unusable("it has a line break"), .invalidRequest),
    ])
    func `an application without a credential is asked for it with the server's origin`(
        _ failure: CredentialFailure?, _ code: CountersignError.Code
    ) async throws {
        let source = StubSource { _, _ in
            if let failure { throw failure }
            return nil
        }
        let session = try StubBench(source, .eager).session
        let error = try await #require(throws: CountersignError.self) {
            _ = try await session.send(.to("https://app.example/orders?key=c4n4ry"))
        }
        #expect(error.code == code)
        expectUsefulTexts(error, naming: "Stub GET https://app.example: ")
    }

    // MARK: Places

    @Test func `an error of another server's keeps its own place`() throws {
        let (here, there) = (try #require(Origin(try url("https://here"))), try #require(Origin(try url("https://there"))))
        let error = CountersignError(.answerRefused, detail: "no", origin: there)
        let same = error.completed(authenticationMethod: "A", requestMethod: .get, origin: here, status: 401)
        #expect(same == CountersignError(.answerRefused, detail: "no", authenticationMethod: "A", origin: there))
        let completed = error.completed(requestMethod: .get, origin: there, status: 401)
        #expect(completed.requestMethod == "GET" && completed.status == 401)
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a challenge that is not answered is reported with method, origin, status and code`() async throws {
        let server = LoginServer()
        let events = EventRecorder()
        let presenter = ScriptedPresenter { _ in throw PresentationFailure.dismissed }
        let session = Session(
            configuration: .test(presenter: presenter, events: events), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())
        await #expect(throws: LoginError.self) { try await session.send(.to("https://app.example/data?key=c4n4ry", .put)) }
        let event = try #require(events.events.last { $0.kind == .unanswered(code: "cancelled", status: 200) })
        #expect(event.requestMethod == .put)
        #expect(event.origin?.description == "https://app.example")
        #expect(event.observer == "loginObserver")
        #expect(!"\(event)".contains("c4n4ry"))
    }

    private func expectUsefulTexts(
        _ error: CountersignError, naming place: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error.description.contains(place), "\(error)", sourceLocation: sourceLocation)
        for text in [error.errorDescription, error.failureReason, error.recoverySuggestion] {
            #expect(text?.isEmpty == false, sourceLocation: sourceLocation)
        }
        var everything = "\(error)\(String(reflecting: error))\(error.localizedDescription)"
        dump(error, to: &everything)
        #expect(!everything.contains("c4n4ry"), "\(everything)", sourceLocation: sourceLocation)
    }
}
