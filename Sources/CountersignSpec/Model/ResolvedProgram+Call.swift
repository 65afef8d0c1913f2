extension ResolvedProgram {
    /// A request that a method itself sends.
    public struct Call: Sendable {
        /// An HTTP method.
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
        /// The items that are added to the URL's query.
        public var query: [Member]
        public var headers: [Member]
        /// The body; `nil` for none.
        public var body: Body?
        public var login: Login?
        public var signature: SignatureVersion4?
        public var proof: Proof?
        /// The client of the authorization server that receives the request.
        public var client: Client?
        /// The expected answers. The first that matches the response is used.
        public var answers: [Answer]
        /// Whether the session's observers authenticate the request.
        public var usesSession = false
        /// The slot of the client identity for the TLS connection.
        public var identity: Int?
        /// The slot with the pins of the server's keys.
        public var pins: Int?
        /// The JSON pointer of the server's message in an unexpected response.
        public var message: String?
    }

    /// The body of a request.
    public enum Body: Sendable, Hashable {
        case form([Member])
        case json(JSON)
        /// XML text. Inserted values are escaped unless they are elements.
        case xml(Template)
        /// The bytes of a certificate request.
        case data(Int, type: String)

        /// The templates in the body.
        var templates: [Template] {
            switch self {
            case .form(let members): members.flatMap { [$0.name, $0.value] }
            case .json(let json): json.templates
            case .xml(let text): [text]
            case .data(let slot, _): [Template(pieces: [.slot(slot)])]
            }
        }
    }

    /// A name and its value. The member is omitted if the value is absent.
    public struct Member: Sendable, Hashable {
        public var name: Template
        public var value: Template
    }

    /// A user name and a password.
    public struct Login: Sendable, Hashable {
        public var user, password: Template
    }

    /// A client of an authorization server, with its secret if it has one.
    public struct Client: Sendable, Hashable {
        public var identifier: Template
        public var secret: Template?
        /// The client authentication method; `nil` for the default.
        public var authentication: Template?
        /// The private key that signs the client's assertions, the identifier of the key, and the audience of the assertions.
        public var key, keyIdentifier, audience: Template?
    }

    /// A form that is sent to a token endpoint, whose response is a token.
    public struct TokenCall: Sendable {
        /// A failure of a token request.
        public enum Failure: String, Sendable, Hashable, CaseIterable {
            case server, status, network, decode
            case noResponse = "no-response"
        }

        public var url: Template
        public var client: Client?
        public var form: [Member]
        /// The slot of the application's function that changes the request before it is sent.
        public var preparation: Int?
        /// The error cases for failures.
        public var failures: [(failure: Failure, errorCase: Located<String>)]
    }

    /// A login page, which is shown until the browser reaches an address or the user has entered a code.
    public struct Page: Sendable {
        /// The comparison with the address that ends a page.
        public enum Match: String, Sendable, Hashable, CaseIterable {
            case exact, path
            case pathAndQueryNames = "path-and-query-names"
        }

        /// A failure of a page.
        public enum Failure: String, Sendable, Hashable, CaseIterable {
            case dismissed, load, refused, reloaded, background
            /// The redirect says that the server refuses the login.
            case server
            /// The redirect has no usable values.
            case missing
        }

        public var url: Template
        /// Pages that replace it if they can be opened, in order of preference.
        public var alternatives: [Alternative] = []
        /// The items that are added to the page's query.
        public var query: [Member] = []
        /// The code verifier of RFC 7636.
        public var verifier: Template?
        /// The pushed authorization request that is sent before the page is opened.
        public var push: Push?
        public var end: End
        /// The query items of a redirect that must be equal if they come back.
        public var agreed: [Member] = []
        /// The callback URL by which another application continues the page.
        public var callback: ResolvedCallback?
        /// The meanings of statuses of the page.
        public var explanations: [(status: Int, text: String)] = []
        /// The error cases for failures.
        public var failures: [(failure: Failure, errorCase: Located<String>)] = []

        public enum End: Sendable {
            /// A redirect to the application: the slot of the parameter with the redirect URL, the query items that must come
            /// back, and the answers, of which the first that matches is used.
            case redirect(slot: Int, verify: [Member], answers: [Answer])
            /// An address at which the server ends the login, without a redirect URL in the request.
            case at(Template, match: Match)
            /// An end that is not observed: the user enters a code on the page, on any device.
            case userCode(Code)
        }

        public struct Push: Sendable {
            /// The endpoint. If it is absent, nothing is pushed.
            public var url: Template
            public var client: Client
        }

        public struct Code: Sendable {
            public var text: Template
            /// The URL of the page that includes the code.
            public var complete: Template?
            /// The lifetime of the code.
            public var lifetime: Time?
        }

        public struct Alternative: Sendable {
            public var url: Template
            public var isOnlyEmbedded: Bool
            /// The query that replaces that of the page.
            public var query: [Member]?
            /// The slots of values that this page does not use, such as the page's code verifier.
            public var without: [Int] = []
        }
    }

    /// An expected answer.
    public struct Answer: Sendable {
        public var pattern: Challenge
        /// Whether the answer means that the server refuses the login.
        public var isRefusal: Bool
        /// The number of milliseconds by which the answer increases the pause before the next repetition.
        public var delay = 0
    }
}

extension ResolvedProgram.Page {
    /// The slot of the redirect URL, if the page ends with a redirect.
    package var redirect: Int? { if case .redirect(let slot, _, _) = end { slot } else { nil } }

    /// The address that ends the page, if the page leaves cookies.
    var address: ResolvedProgram.Template? { if case .at(let address, _) = end { address } else { nil } }

    /// Whether the user enters a code on the page, so that its end is not observed.
    public var asksForUserCode: Bool { code != nil }

    /// The code that the user enters on the page.
    var code: Code? { if case .userCode(let code) = end { code } else { nil } }

    /// The query items that must come back with a redirect.
    package var verify: [ResolvedProgram.Member] { if case .redirect(_, let verify, _) = end { verify } else { [] } }

    /// The answers of a redirect.
    var answers: [ResolvedProgram.Answer] { if case .redirect(_, _, let answers) = end { answers } else { [] } }
}

extension ResolvedProgram.Call {
    /// Splits a text like `GET {endpoint}` into the HTTP method and the rest; `nil` for other texts.
    static func split(_ text: String) -> (method: Method, rest: Substring)? {
        for method in Method.allCases where text.hasPrefix(method.rawValue + " ") {
            let rest = text.dropFirst(method.rawValue.count + 1)
            return rest.first?.isWhitespace == false ? (method, rest) : nil
        }
        return nil
    }
}

extension ResolvedProgram.TokenCall {
    /// The token request in the form of any other request.
    package var request: ResolvedProgram.Call {
        ResolvedProgram.Call(method: .post, url: url, query: [], headers: [], body: .form(form), client: client, answers: [])
    }
}

extension ResolvedProgram.Page {
    /// The request by which a browser opens the page.
    package var request: ResolvedProgram.Call {
        ResolvedProgram.Call(method: .get, url: url, query: query, headers: [], answers: [])
    }
}
