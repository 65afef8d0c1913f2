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
        public var signature: SignatureVersion4?
        public var proof: Proof?
        /// The client that asks an authorization server.
        public var client: Client?
        /// The first that fits is taken.
        public var answers: [Answer]
        /// Whether the observers of the session authenticate it.
        public var usesSession = false
        /// The slot of what the connection is made with.
        public var identity: Int?
        /// The slot with the pins of its server's keys.
        public var pins: Int?
        /// Where an answer of another status says why, by its pointer.
        public var message: String?
    }

    /// What a request sends.
    public enum Body: Sendable, Hashable {
        case form([Member])
        case json(JSON)
        /// Text of XML, whose references are escaped unless they are elements.
        case xml(Template)
        /// The bytes of a certificate request.
        case data(Int, type: String)

        /// The texts in it.
        var templates: [Template] {
            switch self {
            case .form(let members): members.flatMap { [$0.name, $0.value] }
            case .json(let json): json.templates
            case .xml(let text): [text]
            case .data(let slot, _): [Template(pieces: [.slot(slot)])]
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
        public var identifier: Template
        public var secret: Template?
        /// How it shows the secret; `nil` for the usual way.
        public var authentication: Template?
        /// The private key by which it signs assertions, what servers call it, and for which server they are.
        public var key, keyIdentifier, audience: Template?
    }

    /// A form that is sent to a token endpoint, whose answer is a token.
    public struct TokenCall: Sendable {
        /// What can go wrong with it.
        public enum Failure: String, Sendable, Hashable, CaseIterable {
            case server, status, network, decode
            case noResponse = "no-response"
        }

        public var url: Template
        public var client: Client?
        public var form: [Member]
        /// The slot of the application's last word on the request.
        public var preparation: Int?
        /// The error cases for what can go wrong.
        public var failures: [(failure: Failure, errorCase: Located<String>)]
    }

    /// A login page, which is shown until the browser comes to an address.
    public struct Page: Sendable {
        /// How the address that ends a page is compared.
        public enum Match: String, Sendable, Hashable, CaseIterable {
            case exact, path
            case pathAndQueryNames = "path-and-query-names"
        }

        /// What can go wrong with a page.
        public enum Failure: String, Sendable, Hashable, CaseIterable {
            case dismissed, load, refused, reloaded, background
            /// The redirect says that the server refused.
            case server
            /// The redirect has nothing to go on with.
            case missing
        }

        public var url: Template
        /// Pages that take its place where they can be opened, the first of them first.
        public var alternatives: [Alternative] = []
        /// What is put into its query.
        public var query: [Member] = []
        /// The code verifier of RFC 7636.
        public var verifier: Template?
        /// Where the query goes before the page is opened.
        public var push: Push?
        public var end: End
        /// What has to be so where it comes back from a redirect at all.
        public var agreed: [Member] = []
        /// By which URLs another application moves the page on.
        public var callback: ResolvedCallback?
        /// What statuses of the page mean.
        public var explanations: [(status: Int, text: String)] = []
        /// The error cases for what can go wrong with it.
        public var failures: [(failure: Failure, errorCase: Located<String>)] = []

        public enum End: Sendable {
            /// A redirect to the application: the slot of the parameter with its URL, what has to come back, and the answers, of which
            /// the first that fits is taken.
            case redirect(slot: Int, verify: [Member], answers: [Answer])
            /// An address that the server knows by itself.
            case at(Template, match: Match)
            /// Nothing that is seen here: the user types a code there.
            case userCode(Code)
        }

        public struct Push: Sendable {
            /// Where it is absent, nothing is pushed.
            public var url: Template
            public var client: Client
        }

        public struct Code: Sendable {
            public var text: Template
            /// The page with the code in its address.
            public var complete: Template?
            /// How long the code is good for.
            public var lifetime: Time?
        }

        public struct Alternative: Sendable {
            public var url: Template
            public var isOnlyEmbedded: Bool
            /// What is put into its query in place of the page's.
            public var query: [Member]?
            /// The slots of what its server has no use for.
            public var without: [Int] = []
        }
    }

    /// An answer that is expected.
    public struct Answer: Sendable {
        public var pattern: Challenge
        /// Whether the server refuses the login with it.
        public var isRefusal: Bool
        /// How many milliseconds longer the pause before the next time is to be.
        public var delay = 0
    }
}

extension ResolvedProgram.Page {
    /// The slot of the redirect URL, of a page that ends there.
    var redirect: Int? { if case .redirect(let slot, _, _) = end { slot } else { nil } }

    /// The address that ends it, of a page that leaves cookies.
    var address: ResolvedProgram.Template? { if case .at(let address, _) = end { address } else { nil } }

    /// Whether nothing is seen here of the page.
    public var asksForUserCode: Bool { code != nil }

    /// The code that the user types there.
    var code: Code? { if case .userCode(let code) = end { code } else { nil } }

    /// What has to come back with a redirect.
    package var verify: [ResolvedProgram.Member] { if case .redirect(_, let verify, _) = end { verify } else { [] } }

    /// The answers of a redirect.
    var answers: [ResolvedProgram.Answer] { if case .redirect(_, _, let answers) = end { answers } else { [] } }
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

extension ResolvedProgram.TokenCall {
    /// The request, with what it sends as that of any other has it.
    package var request: ResolvedProgram.Call {
        ResolvedProgram.Call(method: .post, url: url, query: [], headers: [], body: .form(form), client: client, answers: [])
    }
}

extension ResolvedProgram.Page {
    /// The request that opens it, as a browser sends it.
    package var request: ResolvedProgram.Call {
        ResolvedProgram.Call(method: .get, url: url, query: query, headers: [], answers: [])
    }
}
