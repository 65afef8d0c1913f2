/// Names that a spec cannot take, since Swift or the generated code has them.
enum ReservedNames {
    /// Members that Swift or generated parameter structs have.
    static let fields: Set<String> = [
        "self", "init", "description", "debugDescription", "customMirror", "settingsServer", "slotValues",
        "visibleParts",
    ]

    /// Words that no method of a session and no case can have as a name, and methods that every session has.
    static let operations: Set<String> = [
        "self", "init", "allCases", "rawValue", "hashValue", "hash", "data", "bytes", "upload", "register", "unregister", "perform",
    ]

    /// Members that Swift or generated error types have.
    static let cases: Set<String> = [
        "self", "init", "allCases", "authenticationMethod", "code", "descriptions", "errorDescription", "failureReason",
        "helpAnchor", "localizedDescription", "occurrence", "recoverySuggestion", "table",
    ]

    /// What a label of parameters cannot be, since generated authenticators and observers have a parameter or a member of that name.
    static let labels: Set<String> = [
        "application", "authenticate", "authenticator", "callbackScheme", "cancelAuthentication", "core",
        "defaultCompletionHandler", "externalAuthenticatorApplicationID", "init", "isChallenge", "makeSessionObserver",
        "ownAuthentication", "protectedURLs", "self", "settingsParameter", "settingsParameters", "tokenStore",
        "validationEndpointURL",
        "webViewPresenter",
    ]

    /// Members of the classes that are generated for enrolments, and parameters beside them.
    static let enrolmentMembers: Set<String> = [
        "core", "init", "input", "obtainUserIdentity", "retireUserIdentity", "self",
    ]

    /// Types that those of grants have beside themselves.
    static let grants: Set<String> = ["Method", "Next"]

    /// Types that generated code names without a module, and words that Swift has as types.
    static let types: Set<String> = [
        "Any", "AnyObject", "Bool", "Duration", "Equatable", "Error", "Hashable", "Int", "Never", "Optional", "Protocol", "Self",
        "Sendable", "String", "Type", "Void",
        "CustomDebugStringConvertible", "CustomReflectable", "CustomStringConvertible", "Mirror",
        "Data", "Date", "Foundation", "HTTPCookie", "HTTPURLResponse",
        "OAuth2ServerError", "OAuth2ServerErrorCarrying", "OAuth2Token", "OAuth2TokenStore",
        "Result", "Set", "Task", "GrantAuthenticator",
        "URLRequest", "LocalizedError", "URL", "URLResponse",
        "APIKeyCredentialDiscovery", "APIKeySource", "BasicCredentialDiscovery", "BasicCredentialSource", "BasicCredentialStoring",
        "CredentialFailure", "DefaultAPIKeyCredentialDiscovery", "DefaultBasicCredentialDiscovery",
        "AuthenticationChallenge", "AuthenticationError", "ConfigurationError", "ConfigurationValues",
        "Countersign", "CredentialKind",
        "DescribedError", "ErrorTable", "ErrorOccurrence", "FinishRule", "ReducedDescription", "Landscape",
        "ProgramAuthenticator", "MethodDescription",
        "AuthenticationHandlerReference", "FoundationAuthenticationHandling",
        "FoundationSession", "FoundationSessionObserving", "LandscapeOperation", "OperationResults", "FoundationSessionTask",
        "GeneratedCodeVersion3",
        "PresentationFailure", "ProtectedOrigins",
        "Runtime", "AuthenticatorObserver", "MockDescription", "Session",
        "SessionObserver",
        "CallbackRule", "OpenURLOptions", "URLQueryItem",
        "URLPiece", "WebPresenter",
        "CertificateMaker", "CertificateMaking", "EquippedParameters", "ProgramTools", "SignatureVerifier", "SignatureVerifying",
        "EnrolmentCore", "ProgramEnrolment", "RetirableEnrolment",
        "LoginInputSource", "LoginPage", "PromptPage",
        "UserIdentityObtaining", "UserIdentitySource", "UserIdentityStoring",
        "ChallengePattern", "ProgramDocument", "TokenVerification", "CredentialPrompt", "CredentialShape", "CredentialStore",
        "HTTPCall",
        "MethodProgram", "CredentialRenewal", "OneTimeParameters", "RequestPreparation", "TokenCall",
        "ProgramObserver", "ProgramParameters", "ProgramPrompting", "ProgramTemplate", "ProgramValue",
        "RejectionRule",
        "CallbackAuthenticator", "ChallengeObserver", "OAuth2TokenAuthentication", "OAuth2TokenAuthenticator",
        "OAuth2TokenObserver",
        "GrantParameters", "ReviewedObserver", "SessionCookieAuthentication", "SessionCookieAuthenticator", "SessionCookieObserver",
    ]
}
