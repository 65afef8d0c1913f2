@testable import CountersignSpec

extension ResolvedLandscape {
    /// `Specs/SAPMobileServices` as the reader resolves it.
    static var samlFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/SAPMobileServices/landscape.yaml")
        var names = SurfaceNames()
        (names.session, names.task, names.observing) = ("SAPURLSession", "SAPURLSessionTask", "SAPURLSessionObserving")
        var conformances = Conformances()
        (conformances.errors, conformances.parameters) = (["SAPError"], ["DiscoveryServiceConfigurable"])
        return ResolvedLandscape(
            name: file.at(3, "SAPMobileServices"),
            documentation: Documentation(
                summary: "SAP Mobile Services on SAP Business Technology Platform.",
                discussion: """
                    The names, addresses and challenges of the Authentication component of the SAP BTP SDK for iOS. Make the settings of your
                    application, make an observer from them, register it on a session, and send requests.

                    """),
            loggingPrefix: "SAP.Foundation.Authentication",
            imports: [file.at(10, "CountersignSAP")],
            names: names,
            conformances: conformances,
            settings: ResolvedParameters(
                name: file.at(20, "SAPcpmsSettingsParameters"),
                documentation: Documentation(summary: "The application as SAP Mobile Services knows it."),
                fields: [
                    file.field(
                        23, "backendURL", .url,
                        "The address of SAP Mobile Services for the application, with or without a slash at its end."),
                    file.field(
                        24, "applicationID", .string, "The identifier of the application in the cockpit.", example: "com.example.app"),
                    file.field(25, "deviceID", .string, "The identifier of the device.", optional: true),
                    file.field(26, "applicationVersion", .string, "The version of the application.", optional: true),
                ],
                fromSettings: nil,
                configuration: [
                    (field: file.at(29, "applicationID"), keys: ["appID", "applicationID"]),
                    (field: file.at(30, "deviceID"), keys: ["deviceID"]),
                    (field: file.at(31, "applicationVersion"), keys: ["applicationVersion"]),
                ]),
            serverField: "backendURL",
            methods: [.samlFixture],
            omittedStems: [])
    }
}

extension ResolvedMethod {
    /// `Specs/SAPMobileServices/SAML.yaml` as the reader resolves it.
    static var samlFixture: ResolvedMethod {
        let file = FixtureFile(path: "Specs/SAPMobileServices/SAML.yaml")
        var mock = ResolvedMock()
        mock.sessionCookie = "X-SMP-SESSID"
        return ResolvedMethod(
            name: file.at(3, "SAML"),
            stem: "SAML",
            origin: "SAPMobileServices/SAML.yaml",
            documentation: Documentation(
                summary: "SAML 2.0 web single sign-on.",
                discussion: """
                    The server marks an unauthenticated answer with a header. A web page at `authorizationEndpointURL` leads through the identity
                    provider's login and ends with a redirect to `finishEndpointURL`; the session cookies that it leaves authenticate later requests.

                    """),
            parameters: .samlFixture(file),
            challenges: [
                ResolvedChallenge(
                    name: file.at(29, "login-request"), statuses: [200],
                    fields: [
                        (
                            name: file.template(32, "{challengeHeaderName}"),
                            match: .equals(file.template(32, "{challengeHeaderValue}"))
                        )
                    ])
            ],
            credential: .sessionCookies,
            authenticate: [
                file.present(
                    40, url: "{authorizationEndpointURL}", finish: "{finishEndpointURL}",
                    failures: [
                        (.dismissed, "cancelled"), (.load, "webView"), (.reloaded, "webViewReloaded"),
                        (.background, "backgroundAuthentication"),
                    ])
            ],
            afterResend: [.fail(file.at(45, "credentialsRejected"))],
            errors: .samlFixture(file),
            busy: file.at(37, "authenticationInProgress"),
            invalidArgument: file.at(38, "invalidArgument"),
            mock: mock)
    }
}

extension ResolvedParameters {
    fileprivate static func samlFixture(_ file: FixtureFile) -> ResolvedParameters {
        ResolvedParameters(
            name: file.at(10, "SAMLAuthenticationParameters"),
            documentation: Documentation(summary: "What a SAML authentication needs to know."),
            fields: [
                file.field(13, "authorizationEndpointURL", .url, "Opened in the web view; shows the login page."),
                file.field(14, "finishEndpointURL", .url, "The redirect that ends the flow."),
                file.field(
                    15, "challengeHeaderName", .header, "The header field that marks a challenge.",
                    default: "com.sap.cloud.security.login"),
                file.field(
                    16, "challengeHeaderValue", .string, "The value of that field in a challenge.", default: "login-request"),
            ],
            fromSettings: [
                (
                    field: file.at(19, "authorizationEndpointURL"),
                    template: file.template(19, "{settings.backendURL}/SAMLAuthLauncher")
                ),
                (
                    field: file.at(20, "finishEndpointURL"),
                    template: file.template(20, "{settings.backendURL}/SAMLAuthLauncher?finishEndpointParam=someUnusedValue")
                ),
            ],
            configuration: [
                (field: file.at(22, "authorizationEndpointURL"), keys: ["saml2.web.post.authorization.endpoint.uri"]),
                (field: file.at(23, "finishEndpointURL"), keys: ["saml2.web.post.finish.endpoint.uri"]),
                (field: file.at(24, "challengeHeaderName"), keys: ["saml2.web.post.authchallengeheader.name"]),
                (field: file.at(25, "challengeHeaderValue"), keys: ["saml2.web.post.authchallengeheader.value"]),
            ])
    }
}

extension ResolvedErrorType {
    fileprivate static func samlFixture(_ file: FixtureFile) -> ResolvedErrorType {
        ResolvedErrorType(
            name: file.at(48, "SAMLError"),
            documentation: Documentation(summary: "Why a SAML authentication failed."),
            cases: [
                file.errorCase(
                    51, "webView", "The login page could not be shown.",
                    reason: "A page of the login could not be loaded, or needs what the presenter cannot do.",
                    recovery: "Check the network and the address of the login page, then try again.", carries: [("error", .error)]),
                file.errorCase(
                    56, "invalidArgument", "An argument cannot be used.", recovery: "Correct the parameters of the authentication.",
                    carries: [("detail", .string)]),
                file.errorCase(
                    60, "authenticationInProgress", "An authentication is in progress.", recovery: "Wait for it, or cancel it first."),
                file.errorCase(
                    63, "credentialsRejected", "The server challenges again after a completed login.",
                    reason: "The session of the login was not accepted for the request.",
                    recovery: "Check that the user may use the resource, and that the session cookies reach it."),
                file.errorCase(
                    67, "backgroundAuthentication", "A login is needed while the application is in the background.",
                    recovery: "Send the request again when the application is active."),
                file.errorCase(
                    70, "cancelled", "The login was cancelled.", reason: "The login page was closed before the login was complete.",
                    recovery: "Send the request again to log in."),
                file.errorCase(
                    74, "webViewReloaded", "The login page was loaded anew.", recovery: "Send the request again to log in.",
                    since: "25.08"),
            ])
    }
}
