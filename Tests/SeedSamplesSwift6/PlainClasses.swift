import Countersign
import Foundation
import SAPMobileServices
import SeedSampleSupport
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What an application writes in Swift 5 mode: plain classes with state, without a word about `Sendable`, and handlers that change what is
// around them. In Swift 6 mode `@unchecked Sendable` is all that they need. That all of it compiles without a warning is the test; it runs
// to show that it is also good for something.

class PlainCredentials: BasicCredentialDiscovery, BasicCredentialStoring, @unchecked Sendable {
    var asked = 0
    var credentials: [URL: BasicCredential] = [:]

    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge, completionHandler: @escaping (BasicCredential?, Error?) -> Void
    ) {
        asked += 1
        completionHandler(BasicCredential(username: "alice", password: "wonderland"), nil)
    }

    func store(credential: BasicCredential, for url: URL) throws { credentials[url] = credential }
    func credential(for url: URL) throws -> BasicCredential? { credentials[url] }
    func delete(for url: URL) throws { credentials[url] = nil }
}

class PlainHandler: AuthenticationHandling, AuthenticationDelegate, @unchecked Sendable {
    var told: [String] = []

    func authenticationObserver(
        _ observer: SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping (Error?) -> Void
    ) {
        told.append("didAuthenticate")
        completionHandler(nil)
    }

    func authenticationObserver(
        _ observer: SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: Error
    ) { told.append("didFail") }

    func authenticationHandler(_ handler: AuthenticationHandling, user: String, didChange to: String) { told.append(to) }
    func authenticationHandler(_ handler: AuthenticationHandling, user: String?, didFailToAuthenticate error: Error) {}
}

class PlainObserver: SAPURLSessionObserving, @unchecked Sendable {
    var requests = 0

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping (SAPURLSession.RequestDisposition) -> Void
    ) {
        requests += 1
        completionHandler(.use(request))
    }
}

class PlainSubclass: BasicAuthenticationObserver, @unchecked Sendable {
    var compared = 0

    override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
        compared += 1
        return super.isChallenge(dataTask: dataTask, response: response)
    }
}

class PlainIdentities: UserIdentityObtaining, UserIdentityStoring, @unchecked Sendable {
    var identities: [URL: Data] = [:]

    func obtainUserIdentity(completionHandler: @escaping (Data?, Error?) -> Void) { completionHandler(nil, nil) }
    func store(identity: Data, for url: URL) throws { identities[url] = identity }
    func identity(for url: URL) throws -> Data? { identities[url] }
    func delete(for url: URL) throws { identities[url] = nil }
}

class PlainKeys: APIKeyCredentialDiscovery, @unchecked Sendable {
    var given = 0

    func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
        given += 1
        return APIKeyCredential(apikeys: ["key"])
    }
}

class PlainStep: OnboardingStep, @unchecked Sendable {
    var runs = 0

    func onboard(context: OnboardingContext) async throws -> OnboardingContext { context }
    func restore(context: OnboardingContext) async throws -> OnboardingContext { context }
}

class PlainValues: CodableStoring, @unchecked Sendable {
    var values: [String: Data] = [:]

    func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? {
        try values[key].map { try JSONDecoder().decode(type, from: $0) }
    }
    func put<T: Codable>(_ value: T, for key: String) throws { values[key] = try JSONEncoder().encode(value) }
    func remove(for key: String) throws { values[key] = nil }
    func keys() throws -> Set<String> { Set(values.keys) }
}

class PlainProvider: ConfigurationProviding, ConfigurationTransforming, @unchecked Sendable {
    let providerIdentifier = "com.example.plain"
    var expectedInput: [String: Any] = [:]

    func provideConfiguration(input: [String: Any]) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: Error?) {
        (true, [:], nil)
    }

    func transform(_ configuration: DiscoveryConfiguration) throws -> [OnboardingInfoKey: Sendable] { [:] }
}

class PlainAuthentication: SAMLAuthentication, OAuth2Authentication, @unchecked Sendable {
    var calls = 0

    func authenticate(session: SAPURLSession, completionHandler: @escaping (Error?) -> Void) { completionHandler(nil) }
    func authenticate(cookies: [HTTPCookie], completionHandler: @escaping ([HTTPCookie]?, Error?) -> Void) {
        completionHandler(cookies, nil)
    }
    func authenticate(completionHandler: @escaping (OAuth2Token?, Error?) -> Void) { completionHandler(nil, URLError(.cancelled)) }
    func refresh(token: OAuth2Token, completionHandler: @escaping (OAuth2Token?, Error?) -> Void) { completionHandler(token, nil) }
    func cancelAuthentication() { calls += 1 }
}

/// A model that keeps what its handlers bring, as view models do.
class PlainModel: AppDelegateObserving, @unchecked Sendable {
    var opened: [URL] = []
    var status = 0
    var error: Error?
    let done = Answer(of: Int.self)

    func application(open url: URL, options: OpenURLOptions) -> Bool {
        opened.append(url)
        return false
    }

    func load(_ url: URL, in session: SAPURLSession) {
        session.dataTask(with: url) { _, response, error in
            self.status = (response as? HTTPURLResponse)?.statusCode ?? 0
            self.error = error
            self.done.give(1)
        }.resume()
    }

    #if swift(<6)
    // A variable of the function is what Swift 6 mode keeps handlers from changing.
    func count(_ url: URL, in session: SAPURLSession) {
        var calls = 0
        session.dataTask(with: url) { _, _, _ in
            calls += 1
            self.done.give(calls)
        }.resume()
    }
    #endif

    func ask(_ authenticator: SAMLAuthenticator, _ tokens: OAuth2Authenticator, _ roles: SAPcpmsUserRoles, _ session: SAPURLSession)
    {
        authenticator.authenticate(session: session) { self.error = $0 }
        authenticator.authenticate { self.error = $0 }
        authenticator.authenticate(cookies: []) { _, error in self.error = error }
        tokens.authenticate { _, error in self.error = error }
        roles.load { _, error in self.error = error }
    }

    func storage(_ store: CodableStoring) -> OAuth2TokenStorage {
        OAuth2TokenStorage(
            store: store,
            keyHandler: { url in
                self.status += 1
                return url.absoluteString
            })
    }

    func step() -> AuthenticationStep {
        AuthenticationStep(name: "plain") { _ in
            self.status += 1
            return PlainObserver()
        }
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Plain classes of an application` {
    @Test func `an application's plain classes are asked`() async throws {
        try await SeedBench.run("BasicAuthentication") { bench in
            let (credentials, handler, plain) = (PlainCredentials(), PlainHandler(), PlainObserver())
            let observer = PlainSubclass(basicCredentialDiscovery: credentials, credentialStore: credentials)
            observer.authenticationHandler = handler
            bench.sapURLSession.register(observer)
            bench.sapURLSession.register(plain)
            let model = PlainModel()
            model.load(bench.resourceURL, in: bench.sapURLSession)
            let calls = await model.done.value
            #expect(calls == 1)
            #expect(model.status == 200)
            #expect(credentials.asked == 1)
            #expect(credentials.credentials.count == 1)
            #expect(handler.told == ["didAuthenticate"])
            #expect(plain.requests == 2)
            #expect(observer.compared == 2)
        }
    }
}
