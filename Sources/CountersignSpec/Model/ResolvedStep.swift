/// A step of a flow.
public enum ResolvedStep: Sendable {
    case generate([Generated])
    case present(ResolvedPresent)
    case request(ResolvedRequest)
    case fail(Located<String>)
    /// Takes the credential that the store has.
    case load
    /// Asks the application for the credential.
    case ask(ResolvedAsk)
    /// Stores the credential.
    case store
    /// Takes the credential out of the store.
    case delete
    /// Runs the steps to a credential again, at most so often.
    case again(Located<Int>)
    /// Runs the steps to a credential again if the store had the one that was refused.
    case againIfStored

    /// What a `generate` step makes.
    public enum Generated: String, Sendable, Hashable, CaseIterable {
        case state
        case codeVerifier = "code_verifier"
    }
}

/// A question to the application.
public struct ResolvedAsk: Sendable {
    /// Error cases by failure, in the order of the file.
    public var failures: [(failure: Failure, errorCase: Located<String>)]

    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The user gave up.
        case cancelled
        /// The application has no credential.
        case missing
        /// What it gave cannot be used.
        case unusable
    }
}

/// A value that is sent or expected under a name.
public typealias NamedTemplate = (name: Located<String>, value: ResolvedTemplate)

/// A page that is opened until a URL ends the flow.
public struct ResolvedPresent: Sendable {
    public var location: SourceLocation
    /// Pages that take the place of ``url`` where they can be opened, the first of them first.
    public var alternatives: [ResolvedPage] = []
    public var url: ResolvedTemplate
    public var finish: ResolvedTemplate
    public var match: FinishMatch
    /// What is put into the page's query.
    public var query: [NamedTemplate] = []
    /// What becomes of the redirect that ends the flow; `nil` if its cookies are what counts.
    public var redirect: ResolvedRedirect?
    /// By which URLs another application moves the page on.
    public var callback: ResolvedCallback?
    /// What statuses of the page mean, in the order of the file.
    public var explanations: [(status: Int, text: String)] = []
    /// Error cases by presenter failure, in the order of the file.
    public var failures: [(failure: PresentFailure, errorCase: Located<String>)]

    public enum FinishMatch: String, Sendable, Hashable, CaseIterable {
        case exact, path
        case pathAndQueryNames = "path-and-query-names"
    }

    public enum PresentFailure: String, Sendable, Hashable, CaseIterable {
        case dismissed, load, refused, reloaded, background
        /// The redirect says that the server refused.
        case server
        /// The redirect has nothing to go on with.
        case missing
    }
}

extension ResolvedPresent {
    /// Makes a step that ends in cookies.
    public init(
        location: SourceLocation, alternatives: [ResolvedPage] = [], url: ResolvedTemplate, finish: ResolvedTemplate,
        match: FinishMatch, failures: [(failure: PresentFailure, errorCase: Located<String>)]
    ) {
        self.init(
            location: location, alternatives: alternatives, url: url, finish: finish, match: match, query: [], redirect: nil,
            callback: nil, explanations: [], failures: failures)
    }
}

/// A URL by which another application moves a waiting page on.
public struct ResolvedCallback: Sendable {
    public var schemeEnding: String
    public var host: String
    public var path: String
    /// The application that it has to come from.
    public var application: String
    /// The name in the query under which that application identifies itself.
    public var source: String?
    /// The names in the callback and those in the page's query.
    public var query: [(name: Located<String>, pageName: String)]
}

/// A page that takes the place of another where it can be opened.
public struct ResolvedPage: Sendable {
    /// A URL, or an optional field of that type.
    public var url: ResolvedTemplate
    /// Whether it can be opened in an embedded web view alone.
    public var isOnlyEmbedded: Bool
    /// What is put into its query; `nil` for what the step says.
    public var query: [NamedTemplate]?
    /// What its server has no use for.
    public var without: [ResolvedStep.Generated]
}

/// What becomes of the URL that a browser is sent back to.
public struct ResolvedRedirect: Sendable {
    /// What has to come back.
    public var verify: [NamedTemplate]
    /// What is taken out of the query: the slot's name, and the name in the query.
    public var capture: [(slot: Located<String>, name: String)]
}

/// A form that is sent to a token endpoint.
public struct ResolvedRequest: Sendable {
    public var location: SourceLocation
    public var url: ResolvedTemplate
    public var client: Client?
    public var form: [NamedTemplate]
    /// The field of the parameters with the application's last word on the request.
    public var prepare: Located<String>?
    /// Error cases by failure, in the order of the file.
    public var failures: [(failure: Failure, errorCase: Located<String>)]

    /// How the client identifies and authenticates itself.
    public struct Client: Sendable {
        public var id: ResolvedTemplate
        public var secret: ResolvedTemplate?
        public var authentication: Authentication
    }

    public enum Authentication: String, Sendable, Hashable, CaseIterable {
        case basic
        case rawBasic = "raw-basic"
        case body
    }

    public enum Failure: String, Sendable, Hashable, CaseIterable {
        case server, status, network, decode
        case noResponse = "no-response"
    }
}

/// A way to a token.
public struct ResolvedGrant: Sendable {
    public var name: Located<String>
    public var parameters: ResolvedParameters
    /// The labels of initialisers that take the struct; empty for one that follows from its name.
    public var labels: [Located<String>]
    public var authenticate: [ResolvedStep]
    public var refresh: [ResolvedStep]
    /// The grant that takes over after the first token.
    public var next: Located<String>?
    /// How long the grant can be run.
    public var life: Located<String>?

    /// The name of the generated type: `AuthorizationCode` for `authorization-code`.
    public static func typeName(of name: String) -> String {
        name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
