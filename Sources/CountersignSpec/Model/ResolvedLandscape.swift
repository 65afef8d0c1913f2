/// A landscape after reading, inheritance and checking: the one semantic model that every reader of a spec uses.
public struct ResolvedLandscape: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    /// The prefix of logger labels.
    public var loggingPrefix: String
    /// Modules that the generated module re-exports.
    public var imports: [Located<String>]
    /// The names under which generated code uses the surface's types.
    public var names: SurfaceNames
    /// Protocols that generated types conform to beyond the runtime's.
    public var conformances: Conformances
    /// What all methods share; `nil` if the landscape declares none.
    public var settings: ResolvedParameters?
    /// The `url` field of the settings that is the server's address.
    public var serverField: String?
    /// In the order of the file names.
    public var methods: [ResolvedMethod]
    /// The stems of methods that an inheriting landscape leaves out.
    public var omittedStems: [String]

    public struct SurfaceNames: Sendable, Hashable {
        public var session = "FoundationSession"
        public var task = "FoundationSessionTask"
        public var observing = "FoundationSessionObserving"
        public init() {}
    }

    public struct Conformances: Sendable, Hashable {
        public var errors: [String] = []
        public var parameters: [String] = []
        public init() {}
    }
}

/// The texts that become documentation.
public struct Documentation: Sendable, Hashable {
    public var summary: String
    public var discussion: String?
    public init(summary: String, discussion: String? = nil) {
        self.summary = summary
        self.discussion = discussion
    }
}

/// A parameter struct.
public struct ResolvedParameters: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var fields: [ResolvedField]
    /// How the struct is made from the landscape's settings: a template for each field that is not left to its default.
    public var fromSettings: [(field: Located<String>, template: ResolvedTemplate)]?
    /// Keys of configuration files, by field; the first that is there wins.
    public var configuration: [(field: Located<String>, keys: [String])]
}

/// A field of a parameter struct.
public struct ResolvedField: Sendable {
    public var name: Located<String>
    public var type: FieldType
    public var documentation: Documentation
    public var isOptional: Bool
    /// The default as text, checked against the type.
    public var defaultText: Located<String>?
    /// A value for documentation and the mock landscape, checked against the type.
    public var example: Located<String>?
}

/// The types a field can have.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    case url, string, header, secret, boolean, integer, duration
}

/// Text with `{references}`, parsed.
public struct ResolvedTemplate: Sendable, Hashable {
    /// As written.
    public var text: String
    public var location: SourceLocation
    public var pieces: [Piece]

    public enum Piece: Sendable, Hashable {
        case text(String)
        /// `{name}`: a field of the method's parameters.
        case parameter(String, FieldType)
        /// `{settings.name}`: a field of the landscape's settings.
        case settings(String, FieldType)
    }
}

/// A method of authentication.
public struct ResolvedMethod: Sendable {
    public var name: Located<String>
    /// The stem of the file, which names the generated file.
    public var stem: String
    /// The spec's file name with its landscape folder, such as `SAPMobileServices/SAML.yaml`, for generated comments.
    public var origin: String
    public var documentation: Documentation
    public var parameters: ResolvedParameters
    public var challenges: [ResolvedChallenge]
    public var credential: ResolvedCredential
    public var authenticate: [ResolvedStep]
    public var afterResend: [ResolvedStep]
    public var errors: ResolvedErrorType
    /// The case for a direct authentication while another runs; the value of `flow.busy`.
    public var busy: Located<String>?
    /// The case for an argument that cannot be used; the value of `flow.invalid-argument`. It carries `detail: string`.
    public var invalidArgument: Located<String>?
    public var mock: ResolvedMock
}

public enum ResolvedCredential: String, Sendable, Hashable, CaseIterable {
    case sessionCookies = "session-cookies"
}

public struct ResolvedChallenge: Sendable {
    public var name: Located<String>
    public var statuses: [Int]
    public var fields: [(name: ResolvedTemplate, match: Match)]

    public enum Match: Sendable, Hashable {
        case present
        case equals(ResolvedTemplate)
        case prefix(ResolvedTemplate)
        case contains(ResolvedTemplate)
    }
}

public enum ResolvedStep: Sendable {
    case present(ResolvedPresent)
    case fail(Located<String>)
}

public struct ResolvedPresent: Sendable {
    public var location: SourceLocation
    public var url: ResolvedTemplate
    public var finish: ResolvedTemplate
    public var match: FinishMatch
    /// Error cases by presenter failure, in the order of the file.
    public var failures: [(failure: PresentFailure, errorCase: Located<String>)]

    public enum FinishMatch: String, Sendable, Hashable, CaseIterable {
        case exact, path
        case pathAndQueryNames = "path-and-query-names"
    }

    public enum PresentFailure: String, Sendable, Hashable, CaseIterable {
        case dismissed, load, reloaded, background
    }
}

public struct ResolvedErrorType: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var cases: [ResolvedErrorCase]
}

public struct ResolvedErrorCase: Sendable {
    public var name: Located<String>
    /// `summary` is the error's description, `discussion` documentation only.
    public var documentation: Documentation
    public var reason: String?
    public var recovery: String?
    public var since: String?
    public var carries: [(label: Located<String>, type: CarriedType)]

    public enum CarriedType: String, Sendable, Hashable, CaseIterable {
        case error, string, integer
    }
}

public struct ResolvedMock: Sendable, Hashable {
    public var sessionCookie = "session"
    public var loginRedirect = LoginRedirect.javascript
    public var userField = "j_username"
    public var passwordField = "j_password"
    public enum LoginRedirect: String, Sendable, Hashable, CaseIterable { case javascript, redirect }
    public init() {}
}
