import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP Basic with the generated `BasicAuthenticationObserver`: the user is asked once, however many requests are challenged.
struct BasicScenario: DemoScenario {
    let method = "BasicAuthentication"
    let row = "Basic"
    private let asked = Counter()

    func authentications(at mock: MockLandscape) -> Int { asked.count }
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) { asked.reset() }
    func forget(_ mock: MockLandscape, _ client: any DemoClient) {
        client.endSession()
        asked.reset()
    }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) -> any DemoClient {
        SessionClient(options) {
            BasicAuthenticationObserver(
                basicCredentialDiscovery: DefaultBasicCredentialDiscovery { [asked] _, _, _ in
                    asked.add()
                    return BasicCredential(username: "alice", password: "wonderland")
                })
        }
    }
}

/// API keys with the generated `APIKeyAuthenticationObserver`. The first key is refused, and one change to the second key serves
/// all requests.
struct APIKeyScenario: DemoScenario {
    let method = "APIKeyAuthentication"
    let row = "API key"
    private let asked = Counter()

    func steps(of method: MethodDescription) -> [MethodDescription.Step] { method.authenticate + method.authenticate }
    /// The first request for a key precedes any challenge.
    func authentications(at mock: MockLandscape) -> Int { asked.count - 1 }
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) { asked.reset() }
    func forget(_ mock: MockLandscape, _ client: any DemoClient) {
        client.endSession()
        asked.reset()
    }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) -> any DemoClient {
        SessionClient(options) {
            APIKeyAuthenticationObserver(
                apikeyCredentialDiscovery: CountingDiscovery(["a-key-of-yesterday", "countersign-api-key"], asked),
                isAPIKeyAccessOnly: true)
        }
    }
}

/// Provides keys, and counts the requests for them.
private final class CountingDiscovery: APIKeyCredentialDiscovery {
    private let keys: [String]
    private let asked: Counter

    init(_ keys: [String], _ asked: Counter) {
        self.keys = keys
        self.asked = asked
    }

    func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
        asked.add()
        return APIKeyCredential(apikeys: keys)
    }
}

/// Counts the prompts to the application, which no server can count.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
    func reset() { value.withLock { $0 = 0 } }
}
