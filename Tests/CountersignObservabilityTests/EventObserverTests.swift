import Countersign
import CountersignAsyncHTTPClient
import CountersignMetrics
import CountersignTesting
import CountersignTracing
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import OAuth
import TestTurns
import Testing
import Tracing

/// Metrics and spans of real logins.
@Suite(.takesTurns) struct EventObserverTests {
    /// Sends ten requests at once, and ten more after the token was rejected, and then runs a login that fails.
    private func run(_ observer: any SessionEventObserver) async throws {
        try await MockAuthorizationServer.run(options: MockOAuth2Options()) { server in
            for password in ["wonderland", "canary-wrong"] {
                var configuration = SessionConfiguration()
                configuration.presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": password])
                configuration.eventObservers = [observer]
                let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
                session.register(
                    AuthorizationCodeObserver(
                        parameters: AuthorizationCodeParameters(
                            apis: [server.baseURL], authorizationURL: server.authorizationEndpoint, tokenURL: server.tokenEndpoint,
                            clientID: "app", redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))))
                let url = server.baseURL.appending(path: "data")
                for _ in 0..<(password == "wonderland" ? 2 : 1) {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<10 { group.addTask { _ = try? await session.send(SessionRequest(HTTPRequest(url: url))) } }
                    }
                    server.expireAccessTokens()
                }
                await session.invalidate(cancelling: true)
            }
        }
    }

    @Test func `metrics count authentications by their outcome, and have no secret in a label`() async throws {
        let metrics = TestMetrics()
        try await run(MetricsEventObserver(factory: metrics))
        let method = ("method", "AuthorizationCode")
        #expect(metrics.counterTotal(label: "countersign_authentications", dimensions: [method, ("outcome", "succeeded")]) == 2)
        #expect(metrics.counterTotal(label: "countersign_authentications") >= 3)
        #expect(metrics.counterTotal(label: "countersign_events", dimensions: [method, ("event", "renewed")]) == 1)
        #expect(metrics.counterTotal(label: "countersign_events", dimensions: [method, ("event", "challenged")]) > 2)
        #expect(metrics.timers(label: "countersign_authentication_seconds").flatMap(\.values).count >= 3)
        let labels = metrics.counters.flatMap { $0.dimensions.map(\.1) } + metrics.timers.flatMap { $0.dimensions.map(\.1) }
        #expect(labels.allSatisfy { !$0.contains("canary") && !$0.contains("alice") && !$0.contains("127.0.0.1") })
    }

    @Test func `an authentication is a span with its steps, and one that fails says its code`() async throws {
        let tracer = InMemoryTracer()
        try await run(TracingEventObserver(tracer: tracer))
        let spans = tracer.finishedSpans
        // A late request of those that fail with the wrong password starts another login.
        #expect(spans.count >= 3 && spans.allSatisfy { $0.operationName == "authenticate AuthorizationCode" })
        #expect(tracer.activeSpans.isEmpty)
        #expect(spans.first?.events.contains { $0.name == "ran" } == true)
        #expect(spans.dropFirst().first?.events.contains { $0.name == "renewed" } == true)
        #expect(spans.last?.status?.code == .error)
        #expect(spans.prefix(2).allSatisfy { $0.status == nil })
        let text = spans.map { "\($0)" }.joined()
        #expect(!text.contains("canary") && !text.contains("alice"))
    }
}
