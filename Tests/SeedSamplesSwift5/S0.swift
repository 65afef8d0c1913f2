// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares.

import CountersignTesting
import Foundation
import SAPMobileServices
import SeedSampleSupport
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: SAML 2.0 in the SAP BTP SDK for iOS

extension Application {
    func s0SAML1() {
        // sample S0-SAML-1: 1. General usage against SAPcpms
        // Create the observer using the SAPcpms settings parameters
        let samlObserver = SAMLObserver(settingsParameters: bench.settings)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(samlObserver)
        // end
    }

    func s0SAML2() throws {
        // sample S0-SAML-2: 2. Customization - custom authenticator URLs
        // Define your landscape's URLs
        let authorizationEndpointURL = try bench.url("/SAMLAuthLauncher")
        let finishEndpointURL = try bench.url("/SAMLAuthLauncher?finishEndpointParam=someUnusedValue")

        // Create the authentication parameters with your custom URLs
        let authenticationParameters = SAMLAuthenticationParameters(authorizationEndpointURL: authorizationEndpointURL, finishEndpointURL: finishEndpointURL)

        // Use the initializer which takes SAML authentication parameters
        let samlObserver = SAMLObserver(authenticationParameters: authenticationParameters)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(samlObserver)
        // end
    }

    func s0SAML3() {
        // sample S0-SAML-3: 3. Customization - custom SAML challenge detection
        class MySAMLObserver: SAMLObserver {
            // Override the default challenge detection method
            override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
                // Determine if the response contains a SAML challenge
                // Return a boolean value accordingly.
                // return true - the repsonse is a SAML challenge and authentication must take place
                // return false - the response is not a SAML challenge, continue normally
                return (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "com.sap.cloud.security.login") != nil // ours
            }
        }

        // Create your observer with one of the available initializers
        let mySAMLObserver = MySAMLObserver(settingsParameter: bench.settings)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(mySAMLObserver)
        // end
    }

    func s0SAML5() async -> Error? {
        let answer = Answer(of: Error?.self)
        // sample S0-SAML-5: 5. Preauthentication
        // Create the authenticator using the SAPcpms settings parameters
        let authenticator = SAMLAuthenticator(settingsParameters: bench.settings)

        sapURLSession.register(SAMLObserver(authenticator: authenticator)) // ours: without it there is no session to authenticate
        // Start the authentication flow directly
        authenticator.authenticate { error in
            if let error = error {
                // If there was an error during the authentication process then the `error` contains the cause of it.
                // Requests to SAML proctected resources will result in SAML challenge.
                // The authentication has to be repeated.
                answer.give(error) // ours
            }
            // If there was no error (the `error` is `nil`) then the authentication was successful.
            // Requests to SAML protected resources should not encounter SAML challenges.
            answer.give(nil) // ours
        }
        // end
        return await answer.value ?? CancellationError()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S0 SAML` {
    @Test func `S0-SAML-1 logs in at the first challenge`() async throws {
        try await SeedBench.run("SAML") { bench in
            Application(bench).s0SAML1()
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.logins == 1)
        }
    }

    @Test func `S0-SAML-2 logs in by its own URLs`() async throws {
        try await SeedBench.run("SAML") { bench in
            try Application(bench).s0SAML2()
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S0-SAML-3 logs in when the override says that it is a challenge`() async throws {
        try await SeedBench.run("SAML") { bench in
            Application(bench).s0SAML3()
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S0-SAML-5 authenticates before any request`() async throws {
        try await SeedBench.run("SAML") { bench in
            #expect(await Application(bench).s0SAML5() == nil)
            #expect(bench.mock.statistics.logins == 1)
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.challenges == 0)
        }
    }
}

// MARK: OAuth 2.0 in the SAP BTP SDK for iOS

extension Application {
    func s0OAuth1() {
        // sample S0-OAuth-1: 1. General usage
        // Create the wrapper with the server side configuration
        let authorizationEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/authorize")!
        let tokenEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/token")!
        let tokenRedirectURL = URL(string: "com.example.countersign://oauth2/callback")!
        let clientID = "countersign"
        let scopes = Set<String>()
        let parameters = OAuth2AuthenticationParameters(authorizationEndpointURL: authorizationEndpointURL, clientID: clientID, redirectURL: tokenRedirectURL, tokenEndpointURL: tokenEndpointURL, requestingScopes: scopes)

        // Create the OAuth2Observer using the convenience initializer
        let observer = OAuth2Observer(authenticationParameters: parameters, tokenStore: self)

        // Register the newly created observer
        sapURLSession.register(observer)
        // end
    }

    func s0OAuth2() -> SAPURLSession {
        // sample S0-OAuth-2: 2. Customization - custom SAPURLSession
        // Create and configure the custom SAPURLSession
        let customSAPURLSession = SAPURLSession()
        // ... SAPURLSession configuration ...

        // Create the wrapper with the server side configuration
        let authorizationEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/authorize")!
        let tokenEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/token")!
        let tokenRedirectURL = URL(string: "com.example.countersign://oauth2/callback")!
        let clientID = "countersign"
        let scopes = Set<String>()
        let authenticationParameters = OAuth2AuthenticationParameters(authorizationEndpointURL: authorizationEndpointURL, clientID: clientID, redirectURL: tokenRedirectURL, tokenEndpointURL: tokenEndpointURL, requestingScopes: scopes)

        // Create the OAuth2Authenticator with the custom SAPURLSession
        let authenticator = OAuth2Authenticator(authenticationParameters: authenticationParameters, sapURLSession: customSAPURLSession)

        // Create the observer using the authenticator
        let observer = OAuth2Observer(authenticator: authenticator, tokenStore: self)

        // Register the created observer
        sapURLSession.register(observer)
        // end
        return customSAPURLSession
    }

    func s0OAuth4(_ parameters: OAuth2AuthenticationParameters) {
        // sample S0-OAuth-4: 4. Customization - custom OAuth 2 challenge detection
        class MyOAuth2Observer: OAuth2Observer {
            // Override the default challenge detection method
            override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
                // Determine if the response contains an OAuth 2 challenge
                // Return a boolean value accordingly.
                // return true - the repsonse is an OAuth 2 challenge and authentication must take place
                // return false - the response is not an OAuth 2 challenge, continue normally
                return (response as? HTTPURLResponse)?.statusCode == 401 // ours
            }
        }

        // Create your observer with one of the available initializers
        let myOAuth2Observer = MyOAuth2Observer(authenticationParameters: parameters, tokenStore: self)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(myOAuth2Observer)
        // end
    }

    func s0OAuth2Observer() {
        // sample S0-OAuth-Observer: OAuth2Observer, Example use
        // Create the wrapper with the server side configuration
        let authorizationEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/authorize")!
        let tokenEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/token")!
        let tokenRedirectURL = URL(string: "com.example.countersign://oauth2/callback")!
        let clientID = "countersign"
        let parameters = OAuth2AuthenticationParameters(authorizationEndpointURL: authorizationEndpointURL, clientID: clientID, redirectURL: tokenRedirectURL, tokenEndpointURL: tokenEndpointURL)

        // Create the OAuth2Observer using the convenience initializer
        let observer = OAuth2Observer(authenticationParameters: parameters, tokenStore: self)

        // Register the newly created observer
        sapURLSession.register(observer)
        // end
    }

    func s0Authenticate(_ authenticator: OAuth2Authenticator) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S0-OAuth-Authenticate: OAuth2Authenticator, an authentication flow
        authenticator.authenticate { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }

    func s0Refresh(_ authenticator: OAuth2Authenticator, _ expiredToken: OAuth2Token) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S0-OAuth-Refresh: OAuth2Authenticator, a refresh flow
        authenticator.refresh(token: expiredToken) { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S0 OAuth 2` {
    @Test func `S0-OAuth-1 gets a token at the first challenge, and keeps it in the class around`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            application.s0OAuth1()
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
            let token = try application.token(for: bench.mock.baseURL)
            #expect(token != nil)
        }
    }

    @Test func `S0-OAuth-2 asks the token endpoint by its own session`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let session = Application(bench).s0OAuth2()
            let user = try await bench.user()
            #expect(user == "alice")
            session.invalidateAndCancel()
        }
    }

    @Test func `S0-OAuth-4 gets a token when the override says that it is a challenge`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            Application(bench).s0OAuth4(try bench.oauth2)
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S0-OAuth-Observer needs no scopes`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            Application(bench).s0OAuth2Observer()
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S0-OAuth-Authenticate and S0-OAuth-Refresh get one token after the other`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let authenticator = OAuth2Authenticator(authenticationParameters: try bench.oauth2, sapURLSession: bench.sapURLSession)
            let application = Application(bench)
            let token = try #require(try await application.s0Authenticate(authenticator))
            let newToken = try #require(try await application.s0Refresh(authenticator, token))
            #expect(newToken.accessToken != token.accessToken)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1, .refreshToken: 1])
        }
    }
}

// MARK: OTP in the SAP BTP SDK for iOS

extension Application {
    func s0OTP1() {
        // sample S0-OTP-1: 1. General usage against SAPcpms
        // Create the observer using the SAPcpms settings parameters
        let otpObserver = OTPObserver(settingsParameters: bench.settings)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(otpObserver)
        // end
        separate(otpObserver)
    }

    func s0OTP2() throws {
        // sample S0-OTP-2: 2. Customization - custom authenticator URLs
        // Define your landscape's URLs
        let authorizationEndpointURL = try bench.url("/mobileservices/OTPForm?redirecttooriginalurl=false")
        let finishEndpointURL = try bench.url("/mobileservices/OTPForm?finished=true")

        // Create the authentication parameters with your custom URLs
        let authenticationParameters = OTPParameters(authorizationEndpointURL: authorizationEndpointURL, finishEndpointURL: finishEndpointURL)

        // Use the initializer which takes OTP authentication parameters
        let otpObserver = OTPObserver(otpParameters: authenticationParameters)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(otpObserver)
        // end
        separate(otpObserver)
    }

    func s0OTP3() {
        // sample S0-OTP-3: 3. Customization - custom OTP challenge detection
        class MyOTPObserver: OTPObserver {
            // Override the default challenge detection method
            override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
                // Determine if the response contains an OTP challenge
                // Return a boolean value accordingly.
                // return true - the repsonse is an OTP challenge and authentication must take place
                // return false - the response is not an OTP challenge, continue normally
                return (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "x-smp-authentication") == "otp-challenge" // ours
            }
        }

        // Create your observer with one of the available initializers
        let myOTPObserver = MyOTPObserver(settingsParameter: bench.settings)

        // Register the created observer to an instance of the SAPURLSession
        sapURLSession.register(myOTPObserver)
        // end
        separate(myOTPObserver)
    }

    func s0OTPAuthenticator() throws -> OTPAuthenticator {
        // sample S0-OTP-Authenticator: OTPAuthenticator with custom URLs
        let otpParameters = OTPParameters(authorizationEndpointURL: try bench.url("/mobileservices/OTPForm?redirecttooriginalurl=false"), finishEndpointURL: try bench.url("/mobileservices/OTPForm?finished=true"))

        let authenticator = OTPAuthenticator(otpParameters: otpParameters)
        // end
        return authenticator
    }

    func s0OTPAuthenticate(_ authenticator: OTPAuthenticator) async -> Error? {
        let answer = Answer(of: Error?.self)
        // sample S0-OTP-Authenticate: authenticating with custom OTPAuthenticator
        authenticator.authenticate { error in
            if let error = error {
                // If there was an error during the authentication process (web view presentation, or network related), it can be handled here.
                answer.give(error) // ours
                return
            }
            // If there was no error (error is `nil`) then the authentication was successful and the following requests to this endpoint should not encounter OTP challenges.
            answer.give(nil) // ours
        }
        // end
        return await answer.value ?? CancellationError()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S0 OTP` {
    /// A session with the first factor, and the sample's observer behind it.
    private func expectAlice(_ sample: (Application) throws -> Void) async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            bench.sapURLSession.register(SAMLObserver(settingsParameters: bench.settings))
            try sample(Application(bench))
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.passcodes.logins == 1)
        }
    }

    @Test func `S0-OTP-1 gives the passcode at the first challenge`() async throws { try await expectAlice { $0.s0OTP1() } }

    @Test func `S0-OTP-2 gives the passcode by its own URLs`() async throws { try await expectAlice { try $0.s0OTP2() } }

    @Test func `S0-OTP-3 gives the passcode when the override says that it is a challenge`() async throws {
        try await expectAlice { $0.s0OTP3() }
    }

    @Test func `S0-OTP-Authenticator and S0-OTP-Authenticate give the passcode after a challenge`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let application = Application(bench)
            try await application.logInFirst()
            let authenticator = try application.s0OTPAuthenticator()
            application.separate(authenticator)
            bench.sapURLSession.register(OTPObserver(authenticator: authenticator))
            #expect(await application.s0OTPAuthenticate(authenticator) == nil)
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.passcodes.logins == 1)
        }
    }
}

// MARK: Logout

extension Application {
    func s0Logout(_ authority: String) async -> (task: SAPURLSessionTask, error: Error?) {
        let answer = Answer(of: Error?.self)
        // sample S0-Logout: Logout
        let logoutURL = URL(string: "https://\(authority)/mobileservices/sessions/logout")!
        var logoutRequest = URLRequest(url: logoutURL)
        logoutRequest.httpMethod = SAPURLSession.HTTPMethod.post

        let sapURLSession = SAPURLSession() // Must be a SAPURLSession with the same cookie store that is used for authentication!
        let logoutTask = sapURLSession.dataTask(with: logoutRequest) { data, response, error in
            // Process response
            answer.give(error) // ours
        }
        logoutTask.taskDescription = "SAPcpms logout request"
        logoutTask.resume()
        // end
        return (logoutTask, await answer.value ?? CancellationError())
    }

    /// The same lines with a session that was authenticated, and without TLS, for which the session would have to trust the mock.
    func s0LogoutHere() async -> Int? {
        let answer = Answer(of: Int?.self)
        var logoutRequest = URLRequest(url: bench.mock.baseURL.appending(path: "mobileservices/sessions/logout"))
        logoutRequest.httpMethod = SAPURLSession.HTTPMethod.post
        let logoutTask = sapURLSession.dataTask(with: logoutRequest) { data, response, error in
            answer.give((response as? HTTPURLResponse)?.statusCode)
        }
        logoutTask.taskDescription = "SAPcpms logout request"
        logoutTask.resume()
        return await answer.value ?? nil
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S0 logout` {
    @Test func `S0-Logout sends its request by HTTPS`() async throws {
        try await SeedBench.run("SAML") { bench in
            let (task, error) = await Application(bench).s0Logout("localhost:1")
            #expect((error as? URLError)?.code == .cannotConnectToHost)
            #expect(task.originalRequest?.httpMethod == "POST")
            #expect(task.taskDescription == "SAPcpms logout request")
        }
    }

    @Test func `S0-Logout ends the session at the server`() async throws {
        try await SeedBench.run("SAML") { bench in
            let application = Application(bench)
            application.s0SAML1()
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(await application.s0LogoutHere() == 204)
            #expect(bench.mock.statistics.logouts == 1)
        }
    }
}

// MARK: Example use of observers and authenticators

extension Application {
    func s0OTPObserver() throws -> SAPURLSession {
        // sample S0-OTP-Observer: OTPObserver, Example use
        // create or acquire the SAPURLSession instance
        let sapURLSession = SAPURLSession()

        // perform other steps to initialize the session and the application

        // create the SAPcpms settings parameter
        let settingsParameters = SAPcpmsSettingsParameters(backendURL: bench.mock.baseURL, applicationID: "com.example.app")

        // create the OTP observer
        let otpObserver = OTPObserver(settingsParameters: settingsParameters)

        // register the observer on the URL session
        sapURLSession.register(otpObserver)

        // start to create requests
        // end
        separate(otpObserver)
        return sapURLSession
    }

    func s0SAMLObserver() -> SAPURLSession {
        // sample S0-SAML-Observer: SAMLObserver, Example use
        // create or acquire the SAPURLSession instance
        let sapURLSession = SAPURLSession()

        // perform other steps to initialize the session and the application

        // create the SAPcpms settings parameter
        let settingsParameters = SAPcpmsSettingsParameters(backendURL: bench.mock.baseURL, applicationID: "com.example.app")

        // create the SAML observer
        let samlObserver = SAMLObserver(settingsParameters: settingsParameters)

        // register the observer on the URL session
        sapURLSession.register(samlObserver)

        // start to create requests
        // end
        return sapURLSession
    }

    func s0SAMLAuthenticator() throws -> SAMLAuthenticator {
        // sample S0-SAML-Authenticator: SAMLAuthenticator with custom URLs
        let samlAuthenticationParameters = SAMLAuthenticationParameters(authorizationEndpointURL: try bench.url("/SAMLAuthLauncher"), finishEndpointURL: try bench.url("/SAMLAuthLauncher?finishEndpointParam=someUnusedValue"))

        let authenticator = SAMLAuthenticator(authenticationParameters: samlAuthenticationParameters)
        // end
        return authenticator
    }

    func s0SAMLAuthenticate(_ authenticator: SAMLAuthenticator) async -> Error? {
        let answer = Answer(of: Error?.self)
        // sample S0-SAML-Authenticate: authenticating with custom SAMLAuthenticator
        authenticator.authenticate { error in
            if let error = error {
                // If there was an error during the authentication process (web view presentation, or network related), it can be handled here.
                answer.give(error) // ours
                return
            }
            // If there was no error (error is `nil`) then the authentication was successful and the following requests to this endpoint should not encounter SAML challenges.
            answer.give(nil) // ours
        }
        // end
        return await answer.value ?? CancellationError()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S0 examples` {
    @Test func `S0-SAML-Observer is challenged, and its session has nobody to show the page to`() async throws {
        try await SeedBench.run("SAML") { bench in
            let session = Application(bench).s0SAMLObserver()
            let error = await bench.error(in: session)
            #expect("\(error as Any)".contains("presenter"), "\(error as Any)")
            #expect(bench.mock.statistics.challenges == 1)
            session.invalidateAndCancel()
        }
    }

    @Test func `S0-OTP-Observer is challenged, and its session has nobody to show the page to`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let session = try Application(bench).s0OTPObserver()
            session.register(SAMLObserver(authenticator: SAMLAuthenticator(settingsParameters: bench.settings, webViewPresenter: WKWebViewPresenter())))
            let error = await bench.error(in: session)
            #expect("\(error as Any)".contains("presenter"), "\(error as Any)")
            #expect(bench.mock.statistics.logins == 1)
            session.invalidateAndCancel()
        }
    }

    @Test func `S0-SAML-Authenticator and S0-SAML-Authenticate log in before any request`() async throws {
        try await SeedBench.run("SAML") { bench in
            let application = Application(bench)
            let authenticator = try application.s0SAMLAuthenticator()
            bench.sapURLSession.register(SAMLObserver(authenticator: authenticator))
            #expect(await application.s0SAMLAuthenticate(authenticator) == nil)
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.challenges == 0)
        }
    }

    @Test func `an authentication without a session is refused, and the error says how to give it one`() async throws {
        try await SeedBench.run("SAML") { bench in
            let application = Application(bench)
            let error = await application.s0SAMLAuthenticate(try application.s0SAMLAuthenticator())
            #expect("\(error as Any)".contains("session"), "\(error as Any)")
        }
    }
}
