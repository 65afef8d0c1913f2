import CountersignSpec

/// The types generated for a method: its definition, the authenticator and the observer.
struct MethodPlan: Sendable {
    /// The documentation comments of the generated types.
    let documentation: Documentation
    let parameters: SwiftTypeName
    let session, observing: SwiftTypeName
    /// The settings' type; `nil` if the parameters cannot be created from the settings alone.
    let settingsType: SwiftTypeName?

    /// `SAMLAuthentication`, `SAMLAuthenticator`, `SAMLObserver`.
    let authenticationType, authenticatorType, observerType: SwiftTypeName
    let methodName: SwiftStringLiteral

    /// The label of the parameters in the initialisers, and its alternatives.
    let label: SwiftIdentifier
    let otherLabels: [SwiftIdentifier]
    /// The prefix for logging errors of an authentication without a completion handler; `nil` if every caller must pass a
    /// handler.
    let logLabel: SwiftStringLiteral?
    /// The protocols that the authenticator conforms to if another application can continue its login page; `nil` if the method
    /// has no callback.
    let callbackConformances: [SwiftTypeName]?

    let definition: MethodDefinitionPlan

    /// The comments that name the method.
    struct Documentation: Sendable {
        let authentication, authenticator, observer: DocumentationText
    }
}

extension MethodPlan {
    init(_ method: ResolvedSurfaceMethod, in scope: LandscapeScope) throws {
        func type(_ suffix: String) throws -> SwiftTypeName {
            try Planning.typeName(method.name.value + suffix, at: method.name.location)
        }
        guard let parameters = method.parameters else {
            throw GenerationProblem(at: method.name.location, "'\(method.name.value)' has no parameters")
        }
        self.parameters = try Planning.typeName(parameters.name.value, at: parameters.name.location)
        (session, observing) = (scope.session, scope.observing)
        settingsType = parameters.followFromSettings ? scope.settingsType : nil
        authenticationType = try type("Authentication")
        authenticatorType = try type("Authenticator")
        observerType = try type("Observer")
        methodName = SwiftStringLiteral(method.name.value)
        documentation = Documentation(method)
        let labels = try (method.labels.isEmpty ? [Located(SpecLanguage.defaultLabel, at: method.name.location)] : method.labels)
            .map(Planning.identifier)
        (label, otherLabels) = (labels[0], Array(labels.dropFirst()))
        logLabel = method.logsCompletion ? SwiftStringLiteral(scope.landscape.loggingPrefix) : nil
        callbackConformances = method.hasCallback ? scope.callbackConformances : nil

        definition = try MethodDefinitionPlan(method)
    }
}

extension MethodPlan.Documentation {
    init(_ method: ResolvedSurfaceMethod) {
        let name = method.name.value
        let remark = Planning.remark(method.name.location)
        authentication = DocumentationText(
            "The type that answers \(name) challenges: the generated ``\(name)Authenticator``, or an application's own.")
        authenticator = DocumentationText(
            method.program.documentation.summary, discussion: method.program.documentation.discussion)
        observer = DocumentationText(
            "Recognises \(name) challenges on a session, authenticates, and resends the challenged requests.",
            discussion: """
                \(method.program.challengeList)Register one observer on a session\(method.isSecondFactor ? ", after that of the method by which the user logs in" : ""). \
                Requests that are challenged at the same time share one authentication.
                """, callouts: [remark])
    }
}
