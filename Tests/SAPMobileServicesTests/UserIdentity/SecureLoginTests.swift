import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// M23: certificates from the Secure Login Server, after a login in rounds.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SecureLoginTests {
    private static let password = ScriptedLogin.Answer.values(["user": "alice", "password": "wonderland"])

    @Test func `a login in two rounds ends in a certificate that the server of the resource accepts`() async throws {
        var options = MockSecureLoginOptions()
        options.alternativeNames = ["alice.example.com", "laptop.example.com"]
        try await DiscoveryBench.run(login: options) { bench in
            let delegate = ScriptedLogin(Self.password, .values(["passcode": options.passcode]))
            try bench.resource.register(bench.secureLogin(delegate), store: bench.store)
            #expect(try await bench.resource.user() == "alice")
            #expect(delegate.asked.map { $0.inputFields.map(\.fieldName) } == [["user", "password"], ["passcode"]])
            let first = try #require(delegate.asked.first)
            #expect(first.clientMessage == "Log in with your name and password.")
            #expect(first.messageType == .information)
            #expect(first.inputFields.map(\.type) == [.plain, .hidden])
            #expect(first.inputFields.map(\.prompt) == ["User name", "Password"])
            #expect(delegate.finished == 1)
            let archive = try #require(bench.store.all.values.first)
            let identity = try PKCS12Archive(reading: archive, at: .now).identity
            #expect(bench.services.secureLoginStatistics.issued == [identity.serialNumber])
            #expect(identity.privateKey.pkcs8.bytes.count > 1000)
        }
    }

    @Test func `a new password is asked for again until its repetition is the same`() async throws {
        var options = MockSecureLoginOptions()
        options.rounds = [.password, .newPassword]
        try await DiscoveryBench.run(login: options) { bench in
            let delegate = ScriptedLogin(
                Self.password, .values(["new": "looking-glass", "again": "loking-glass"]),
                .values(["new": "looking-glass", "again": "looking-glass"]))
            let archive = try await bench.secureLogin(delegate).obtainUserIdentity()
            #expect(try PKCS12Archive(reading: archive, at: .now).identity.certificateChain.count == 2)
            #expect(delegate.asked.map(\.messageType) == [.information, .warning, .error])
            #expect(delegate.asked.last?.clientMessage == "'Repeat the new password' is not the same as 'New password'.")
            #expect(delegate.asked.last?.inputFields.last?.confirmField == "new")
            // The client found the mistake, so the server has received no wrong value.
            #expect(bench.services.secureLoginStatistics.wrongValues == 0)
        }
    }

    @Test func `a disclaimer is a round without a field`() async throws {
        var options = MockSecureLoginOptions()
        options.rounds = [.disclaimer("Company property."), .password]
        try await DiscoveryBench.run(login: options) { bench in
            let delegate = ScriptedLogin(.values([:]), Self.password)
            _ = try await bench.secureLogin(delegate).obtainUserIdentity()
            let asked = try #require(delegate.asked.first)
            #expect(asked == SLSLoginInput(disclaimer: "Company property.", origin: asked.origin))
            #expect(asked.origin != nil)
        }
    }

    @Test func `a login without a round needs no delegate`() async throws {
        var options = MockSecureLoginOptions()
        options.rounds = []
        try await DiscoveryBench.run(login: options) { bench in
            let delegate = ScriptedLogin()
            _ = try await bench.secureLogin(delegate).obtainUserIdentity()
            #expect(delegate.asked.isEmpty)
            #expect(delegate.finished == 1)
        }
    }

    @Test func `closing the screen cancels, and the request says so`() async throws {
        try await DiscoveryBench.run { bench in
            let delegate = ScriptedLogin(Self.password, .nothing)
            let discovery = try bench.secureLogin(delegate)
            try bench.resource.register(discovery)
            let error = await bench.resource.users(1).first?.failure
            #expect(error as? UserIdentityObserverError == .cancelled)
            #expect(delegate.finished == 1)
            #expect(bench.services.secureLoginStatistics.certificateRequests == 0)
        }
    }

    @Test func `a user who does not answer in time has not logged in, and the screen can close`() async throws {
        try await DiscoveryBench.run { bench in
            let delegate = SilentLogin()
            var configuration = SAPURLSession.Configuration()
            configuration.session.clock = HurriedClock()
            let discovery = SLSUserIdentityDiscovery(
                slsConfigurationParameters: try bench.profile(), userInputDelegate: delegate,
                sapURLSession: SAPURLSession(configuration: configuration))
            let error = await bench.error(discovery) as? SLSUserIdentityDiscoveryError
            #expect(error?.code == "authenticationFailed")
            #expect(delegate.finished == 1)
            #expect(bench.services.secureLoginStatistics.certificateRequests == 0)
        }
    }

    @Test func `many requests share one login`() async throws {
        try await DiscoveryBench.run { bench in
            let delegate = ScriptedLogin(Self.password, .values(["passcode": MockSecureLoginOptions().passcode]))
            let discovery = try bench.secureLogin(delegate)
            try bench.resource.register(discovery)
            #expect(await bench.resource.users(30).compactMap { try? $0.get() }.count == 30)
            #expect(delegate.asked.count == 2)
        }
    }

    @Test func `an observer makes the discovery itself, and the delegate is not kept alive`() async throws {
        try await DiscoveryBench.run { bench in
            let delegate = ScriptedLogin(Self.password, .values(["passcode": MockSecureLoginOptions().passcode]))
            bench.resource.session.register(
                UserIdentityObserver(
                    slsConfigurationParameters: try bench.profile(), loginInputDelegate: delegate, identityStore: bench.store))
            #expect(try await bench.resource.user() == "alice")
            weak var gone: ScriptedLogin?
            let discovery: SLSUserIdentityDiscovery
            do {
                let short = ScriptedLogin(Self.password)
                gone = short
                discovery = try bench.secureLogin(short)
            }
            #expect(gone == nil)
            #expect((await bench.error(discovery) as? CountersignError)?.code == .credentialMissing)
        }
    }

    @Test(arguments: [
        ("https://sls.example.com", "p 1", true), ("https://sls.example.com/", "p", true), ("ldap://sls", "p", false),
        ("https://sls.example.com", "", false),
    ])
    func `a server's address and a profile make the addresses`(server: String, profile: String, isUsable: Bool) throws {
        let url = try #require(URL(string: server))
        let parameters = SLSConfigurationParameters(slsServerURL: url, profile: profile)
        #expect((parameters != nil) == isUsable)
        #expect(parameters == SLSConfigurationParameters(baseURL: url, profile: profile))
        guard let parameters else { return }
        let encoded = profile.replacing(" ", with: "%20")
        #expect(parameters.loginURL.absoluteString == "https://sls.example.com/SecureLoginServer/slc3/doLogin?profile=\(encoded)")
        #expect(
            parameters.certificateURL.absoluteString
                == "https://sls.example.com/SecureLoginServer/slc2/getCertificate?profile=\(encoded)")
    }

    @Test func `values of a login are in no description`() {
        let value = SLSLoginInputFieldValue(fieldName: "password", value: "c4n4ry")
        let field = SLSLoginInputField(fieldName: "password", preset: "c4n4ry", prompt: "Password", type: .hidden)
        var text =
            "\(value) \(String(reflecting: value)) \(field) \(String(reflecting: field)) \([value]) \(SLSLoginInput(inputFields: [field]))"
        dump(value, to: &text)
        dump(field, to: &text)
        #expect(!text.contains("c4n4ry"))
    }

    @Test(arguments: Failing.allCases) func `M36 every case of the Secure Login Server is reached`(
        _ expected: Failing
    ) async throws { try await expected.expectToBeReached() }

    @Test(arguments: ["wrong", "refused", "gone"])
    func `a login that the server or the application refuses says so`(how: String) async throws {
        try await DiscoveryBench.run { bench in
            let delegate =
                switch how {
                case "wrong": ScriptedLogin(.values(["user": "alice", "password": "c4n4ry"]))
                case "refused": ScriptedLogin(.failure(URLError(.userAuthenticationRequired)))
                default: ScriptedLogin(Self.password, .values(["passcode": "271828"]))
                }
            let discovery = try bench.secureLogin(delegate)
            if how == "gone" { bench.services.inject(enrollmentFault: .html, at: .login) }
            let error = await bench.error(discovery)
            switch how {
            case "refused": #expect((error as? URLError)?.code == .userAuthenticationRequired)
            case "gone": #expect((error as? SLSUserIdentityDiscoveryError)?.code == "requestForSaltFailed")
            default: #expect((error as? SLSUserIdentityDiscoveryError)?.code == "authenticationFailed")
            }
            #expect(delegate.finished == (how == "gone" ? 0 : 1))
        }
    }

    enum Failing: ReachableCase {
        case getCertificateAttributes, requestForSaltFailed, getCertificate, invalidUserIdentity, authenticationFailed

        init(of error: SLSUserIdentityDiscoveryError) {
            switch error {
            case .getCertificateAttributes: self = .getCertificateAttributes
            case .requestForSaltFailed: self = .requestForSaltFailed
            case .getCertificate: self = .getCertificate
            case .invalidUserIdentity: self = .invalidUserIdentity
            case .authenticationFailed: self = .authenticationFailed
            }
        }

        func reach() async throws -> Ending {
            var options = MockSecureLoginOptions()
            if self == .getCertificateAttributes { options.alternativeNames = ["c4n4ry\u{E9}"] }
            var ending = Ending(error: nil)
            try await DiscoveryBench.run(login: options) { bench in
                switch self {
                case .requestForSaltFailed:
                    bench.services.inject(enrollmentFault: .answer(status: 500, body: "c4n4ry"), at: .login)
                case .getCertificate:
                    bench.services.inject(
                        enrollmentFault: .answer(status: 409, body: #"{"clientMessage":"Ask your administrator."}"#),
                        at: .certificate)
                case .invalidUserIdentity: bench.services.inject(enrollmentFault: .foreignCertificate, at: .certificate)
                case .getCertificateAttributes, .authenticationFailed: break
                }
                let passcode = self == .authenticationFailed ? "c4n4ry" : options.passcode
                let delegate = ScriptedLogin(SecureLoginTests.password, .values(["passcode": passcode]))
                let error = await bench.error(try bench.secureLogin(delegate))
                ending = Ending(error: error, names: self == .getCertificate ? ["409", "Ask your administrator."] : [])
                if self == .getCertificate {
                    #expect(bench.events.all.contains { if case .unanswered(_, 409) = $0 { true } else { false } })
                }
            }
            return ending
        }
    }
}

/// A user who looks at the screen and gives no answer.
private final class SilentLogin: SLSLoginInputDelegate {
    private let handlers = Mutex<[@Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void]>([])
    private let endings = Mutex(0)

    var finished: Int { endings.withLock { $0 } }

    func slsUserIdentityDiscovery(
        _ discovery: SLSUserIdentityDiscovery, needsInputForLogin input: SLSLoginInput,
        completionHandler: @escaping @Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void
    ) { handlers.withLock { $0.append(completionHandler) } }

    func slsUserIdentityDiscoveryDidFinishReceivingInput(_ discovery: SLSUserIdentityDiscovery) { endings.withLock { $0 += 1 } }
}

/// A clock that skips the two-minute time limit of a round, and otherwise sleeps normally.
private struct HurriedClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if (.seconds(100)..<(.seconds(130))).contains(deadline - .now) { return }
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
