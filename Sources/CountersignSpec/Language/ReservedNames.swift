/// Names that a spec cannot use, since Swift or the generated code uses them.
enum ReservedNames {
    /// Members of Swift types or of generated parameter structs.
    static let fields: Set<String> = [
        "self", "init", "description", "debugDescription", "customMirror", "settingsServer", "slotValues",
        "visibleParts",
    ]

    /// Members of generated structs of credentials.
    static let credentialFields: Set<String> = fields.union(["expirationDate", "hashValue"])

    /// Words that cannot name a method of a session or an enumeration case, and methods that every session has.
    static let operations: Set<String> = [
        "self", "init", "allCases", "rawValue", "hashValue", "hash", "data", "bytes", "upload", "register", "unregister", "perform",
    ]

    /// Members of Swift types or of generated error types.
    static let cases: Set<String> = [
        "self", "init", "allCases", "authenticationMethod", "code", "descriptions", "errorDescription", "failureReason",
        "helpAnchor", "localizedDescription", "occurrence", "recoverySuggestion", "table",
    ]

    /// Members of Swift enumerations with raw values, and cases that `Optional` has, too.
    static let choices: Set<String> = [
        "self", "init", "allCases", "rawValue", "hashValue", "hash", "none", "some",
    ]

    /// Names that cannot be labels of parameters, since generated authenticators and observers have a parameter or a member of
    /// that name.
    static let labels: Set<String> = [
        "application", "authenticate", "authenticator", "callbackScheme", "cancelAuthentication", "core",
        "defaultCompletionHandler", "externalAuthenticatorApplicationID", "init", "isChallenge", "makeSessionObserver",
        "ownAuthentication", "protectedURLs", "self", "settingsParameter", "settingsParameters", "tokenStore",
        "validationEndpointURL",
        "webViewPresenter",
    ]

    /// Members of the classes that are generated for enrolments, and parameters of their initialisers.
    static let enrolmentMembers: Set<String> = [
        "core", "init", "input", "obtainUserIdentity", "retireUserIdentity", "self",
    ]

    /// Types that are members of the types of grants.
    static let grants: Set<String> = ["Method", "Next"]

    /// Types that generated code names without a module, words that are types in Swift, and the module that no other can be.
    static let types: Set<String> = [
        "Any", "AnyObject", "Bool", "CaseIterable", "Duration", "Equatable", "Error", "Hashable", "Int", "KeyValuePairs", "Never",
        "Optional", "Protocol", "Self",
        "Sendable", "String", "Swift", "Type", "Void",
        "CustomDebugStringConvertible", "CustomReflectable", "CustomStringConvertible", "Mirror", "CredentialValues",
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
