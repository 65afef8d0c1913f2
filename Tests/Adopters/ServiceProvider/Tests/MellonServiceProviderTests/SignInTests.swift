import CountersignTesting
import Foundation
import MellonServiceProvider
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The lab, which a script has started. `COUNTERSIGN_LAB` names its folder, which contains `ca/root.crt`.
private let lab = ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"]

@Suite(.enabled(if: lab != nil, "set COUNTERSIGN_LAB to the folder of the running lab (../shared/lab/README.md)"))
struct `Sign-in at a service provider not written here` {
    private let backend = URL(string: "https://sp.localhost:9443/")
    private let identityProvider = [URL(string: "https://idp.localhost:9444/")].compactMap(\.self)

    private func session(user: String, password: String) throws -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .file("\(try #require(lab))/ca/root.crt")
        configuration.presenter = FormFillingPresenter(user: user, password: password, origins: identityProvider)
        return SAPURLSession(configuration: configuration)
    }

    private struct Answer: Decodable {
        let user: String?
        let method: String
        let bodyLength: Int
    }

    private func call(_ session: SAPURLSession, _ method: String = "GET", body: Data? = nil) async throws -> (
        Answer, HTTPURLResponse
    ) {
        var request = URLRequest(url: try #require(backend).appending(path: "api/"))
        request.httpMethod = method
        request.httpBody = body
        let (data, response) = try await session.data(for: request)
        return (try JSONDecoder().decode(Answer.self, from: data), try #require(response as? HTTPURLResponse))
    }

    private func register(on session: SAPURLSession) throws {
        let settings = SAPcpmsSettingsParameters(backendURL: try #require(backend), applicationID: "lab")
        session.register(SAMLObserver(settingsParameters: settings))
    }

    @Test(arguments: [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `a redirect to the login is answered and the request is sent again`(user: String, password: String) async throws {
        let session = try session(user: user, password: password)
        try register(on: session)
        let (answer, response) = try await call(session)
        #expect(answer.user == user)
        #expect(response.statusCode == 200)
        #expect(response.url?.path.hasSuffix("/api") == true || response.url?.path.hasSuffix("/api/") == true)
    }

    @Test func `a POST is sent again with its body`() async throws {
        let session = try session(user: "alice", password: "wonderland")
        try register(on: session)
        let (answer, _) = try await call(session, "POST", body: Data("hello, provider".utf8))
        #expect(answer.user == "alice")
        #expect(answer.method == "POST")
        #expect(answer.bodyLength == 15)
    }

    @Test func `the identity provider's cookies stay with the identity provider`() async throws {
        let session = try session(user: "alice", password: "wonderland")
        try register(on: session)
        _ = try await call(session)
        let provider = try #require(URL(string: "https://sp.localhost:9443/api/"))
        let names = session.cookieStorage.cookies(for: provider).map(\.name)
        #expect(names.contains("mellon-labsession"))
        #expect(!names.contains { $0.hasPrefix("SimpleSAML") })
    }

    @Test func `a wrong password ends in the method's own error`() async throws {
        let session = try session(user: "alice", password: "not the password")
        try register(on: session)
        do {
            _ = try await call(session)
            Issue.record("the sign-in went through with a wrong password")
        } catch let error as SAMLError {
            guard case .webView(PresentationFailure.refused) = error else { throw error }
            #expect(error.description.hasPrefix("The login was refused."))
            #expect(!error.description.contains("not the password"))
        }
    }

    @Test func `twenty simultaneous requests take one sign-in`() async throws {
        let presenter = CountingPresenter(FormFillingPresenter(user: "alice", password: "wonderland", origins: identityProvider))
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .file("\(try #require(lab))/ca/root.crt")
        configuration.presenter = presenter
        let session = SAPURLSession(configuration: configuration)
        try register(on: session)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await call(session).0.user } }
            for try await user in group { #expect(user == "alice") }
        }
        #expect(presenter.count == 1)
    }
}
