import CountersignSAP
import Foundation
import HTTPTypes
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses that are larger than expected: no more is read than the limit and a chunk.
@Suite(.timeLimit(.minutes(10))) struct AnswerLimitTests {
    /// A server whose responses do not end within a session's time limit.
    private final class EndlessServer: HTTPTransport {
        static let piece = 64 << 10
        private let status: Int
        private let state = Mutex((read: 0, cancellations: 0))

        init(_ status: Int) { self.status = status }

        /// The number of bytes that were read of all responses.
        var read: Int { state.withLock { $0.read } }
        /// The number of bodies that were cancelled.
        var cancellations: Int { state.withLock { $0.cancellations } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            let body = ResponseBody(
                AsyncThrowingStream<[UInt8], any Error> { [self] in
                    let isOver = state.withLock { state in
                        state.read += Self.piece
                        return state.read > 16 << 20
                    }
                    return isOver ? nil : [UInt8](repeating: 0x20, count: Self.piece)
                }, cancel: { [self] in state.withLock { $0.cancellations += 1 } })
            let url = try #require(request.head.url)
            return SessionResponse(head: HTTPResponse(status: .init(code: status)), url: url, body: body)
        }

        func shutdown() async throws {}
    }

    private static let limit = 1 << 20

    private func context(_ server: EndlessServer) throws -> OnboardingContext {
        var context = OnboardingContext(
            sapURLSession: SAPURLSession.patient(over: server),
            credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        let backend: URL = try #require(URL(string: "https://app.example/"))
        context.info[.backendURL] = backend
        context.info[.applicationID] = "com.example.app"
        return context
    }

    private func expectBounded(_ server: EndlessServer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(server.read > Self.limit, sourceLocation: sourceLocation)
        #expect(server.read <= Self.limit + EndlessServer.piece, sourceLocation: sourceLocation)
        #expect(server.cancellations == 1, sourceLocation: sourceLocation)
    }

    @Test(arguments: [200, 403]) func `L6 the role service's answer is read up to its limit`(_ status: Int) async throws {
        let server = EndlessServer(status)
        let roles = SAPcpmsUserRoles(
            sapURLSession: SAPURLSession.patient(over: server), roleServiceUrl: try #require(URL(string: "https://app.example/me")))
        let error = await #expect(throws: SAPcpmsUserRolesError.self) { try await roles.load() }
        switch error {
        case .malformed(type: .json, description: _)?: #expect(status == 200)
        case .invalidHTTPStatus(statusCode: 403)?: #expect(status == 403)
        default: Issue.record("\(error as Any)")
        }
        expectBounded(server)
    }

    @Test func `L6 settings are read up to their limit`() async throws {
        let server = EndlessServer(200)
        let error = await #expect(throws: OnboardingStepError.self) {
            try await SAPcpmsSettingsDownloadStep().onboard(context: context(server))
        }
        #expect(error == .answerTooLarge(limit: Self.limit, origin: URL(string: "https://app.example/").flatMap { Origin($0) }))
        expectBounded(server)
    }

    @Test func `L6 a server without settings has none, however long its page says so`() async throws {
        let server = EndlessServer(404)
        let context = try await SAPcpmsSettingsDownloadStep().onboard(context: context(server))
        #expect(context.info[.clientSettings] == nil)
        expectBounded(server)
    }

    @Test func `L6 the answer to a validation request is read up to a limit`() async throws {
        final class Observer: SAPURLSessionObserving {}
        let server = EndlessServer(200)
        let step = AuthenticationStep(name: "Own") { _ in Observer() }
        _ = try await step.onboard(context: context(server))
        expectBounded(server)
    }
}
