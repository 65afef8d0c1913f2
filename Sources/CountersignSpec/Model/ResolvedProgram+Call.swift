extension ResolvedProgram {
    /// A request of a method's own, on the way to a credential.
    public struct Call: Sendable {
        /// A method of HTTP.
        public enum Method: String, Sendable, Hashable, CaseIterable {
            case get = "GET"
            case post = "POST"
            case put = "PUT"
            case delete = "DELETE"

            /// Whether a request of this method has a body.
            var hasBody: Bool { self == .post || self == .put }
        }

        public var method: Method
        public var url: Template
        /// What is added to the URL's query.
        public var query: [Member]
        public var headers: [Member]
        /// What is sent; `nil` for nothing.
        public var body: Body?
        public var login: Login?
        /// Who asks an authorization server.
        public var client: Client?
        /// The first that fits is taken.
        public var answers: [Answer]
    }

    /// What a request sends.
    public enum Body: Sendable, Hashable {
        case form([Member])
        case json(JSON)

        /// The texts in it.
        var templates: [Template] {
            switch self {
            case .form(let members): members.flatMap { [$0.name, $0.value] }
            case .json(let json): json.templates
            }
        }
    }

    /// A name and its value, which is left out where it is absent.
    public struct Member: Sendable, Hashable {
        public var name: Template
        public var value: Template
    }

    /// A user name and a password.
    public struct Login: Sendable, Hashable {
        public var user, password: Template
    }

    /// A client of an authorization server, and the secret that it may have.
    public struct Client: Sendable, Hashable {
        public var identifier, secret: Template
        /// How it shows the secret; `nil` for the usual way.
        public var authentication: Template?
    }

    /// A login page, which is shown until the browser is sent back.
    public struct Page: Sendable {
        public var url: Template
        /// What is put into its query.
        public var query: [Member]
        /// The code verifier of RFC 7636.
        public var verifier: Template?
        /// The slot of the parameter with the redirect URL.
        public var redirect: Int
        /// What has to come back.
        public var verify: [Member]
        /// The first that fits is taken.
        public var answers: [Answer]
    }

    /// An answer that is expected.
    public struct Answer: Sendable {
        public var pattern: Challenge
        /// Whether the server refuses the login with it.
        public var isRefusal: Bool
    }
}

extension ResolvedProgram.Call {
    /// The method and the rest of a text like `GET {endpoint}`; `nil` if it is none.
    static func split(_ text: String) -> (method: Method, rest: Substring)? {
        for method in Method.allCases where text.hasPrefix(method.rawValue + " ") {
            let rest = text.dropFirst(method.rawValue.count + 1)
            return rest.first?.isWhitespace == false ? (method, rest) : nil
        }
        return nil
    }
}
