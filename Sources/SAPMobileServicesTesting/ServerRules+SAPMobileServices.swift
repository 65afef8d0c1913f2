public import CountersignTesting

// These rules are written from SAP's documentation and not from `Specs/SAPMobileServices`, so that a mistake in the specs fails
// against the mock as it would against SAP's server.

extension ServerRules {
    /// The rules of SAP Mobile Services, from the documentation of its Authentication component and of its security API.
    ///
    /// With these rules a mock has the role service, and the XSUAA behind its authorization server.
    public static let sapMobileServices: ServerRules = {
        var paths = MockOAuth2Options.Paths()
        paths.authorize = "/oauth2/api/v1/authorize"
        paths.login = "/oauth2/api/v1/login"
        paths.token = "/oauth2/api/v1/token"
        paths.revoke = "/oauth2/api/v1/revoke"
        var rules = ServerRules(
            launcherPath: "/SAMLAuthLauncher", finish: "/SAMLAuthLauncher?finishEndpointParam=someUnusedValue",
            logoutPaths: ["/mobileservices/sessions/logout", "/mobileservices/sessions/v2/logout"],
            revokingLogoutPaths: ["/mobileservices/sessions/v2/logout"], oauth2Paths: paths, apiKeyField: "X-API-Key",
            passcodeForm: PasscodeForm(
                path: "/mobileservices/OTPForm", finish: "/mobileservices/OTPForm?finished=true",
                stay: ["redirecttooriginalurl": "false"], authenticator: "\(MockAuthenticatorApp.identifier)://"),
            challenges: [
                "OTP": Challenge(status: 200, fields: ["x-smp-authentication": "otp-challenge"]),
                "SAML": Challenge(status: 200, fields: ["com.sap.cloud.security.login": "login-request"]),
                "OAuth2": Challenge(status: 401, fields: ["X-SMP-AUTHENTICATION-STATUS": "1000"]),
            ])
        rules.services = [
            RoleServiceOptions(path: "/mobileservices/application/{id}/roleservice/application/{id}/v2/Me"), XSUAAOptions(),
        ]
        return rules
    }()
}
