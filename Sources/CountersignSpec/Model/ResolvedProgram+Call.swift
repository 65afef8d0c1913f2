extension ResolvedProgram {
    /// A request that a method itself sends.
    package struct Call: Sendable {
        /// An HTTP method.
        package enum Method: String, Sendable, Hashable, CaseIterable {
            case get = "GET"
            case post = "POST"
            case put = "PUT"
            case delete = "DELETE"

            /// Whether a request of this method can have a body. Some servers expect one in a `DELETE`.
            var hasBody: Bool { self != .get }
        }

        package var method: Method
        package var url: Template
        /// The items that are added to the URL's query.
        package var query: [Member]
        package var headers: [Member]
        /// The body; `nil` for none.
        package var body: Body?
        package var login: Login?
        package var signature: SignatureVersion4?
        package var proof: Proof?
        /// The client of the authorization server that receives the request.
        package var client: Client?
        /// The expected answers. The first that matches the response is used.
        package var answers: [Answer]
        /// Whether the session's observers authenticate the request.
        package var usesSession = false
        /// The slot of the client identity for the TLS connection.
        package var identity: Int?
        /// The slot with the pins of the server's keys.
        package var pins: Int?
        /// The JSON pointer of the server's message in an unexpected response.
        package var message: String?
    }

    /// The body of a request.
    package enum Body: Sendable, Hashable {
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
    package struct Member: Sendable, Hashable {
        package var name: Template
        package var value: Template
    }

    /// A user name and a password.
    package struct Login: Sendable, Hashable {
        package var user, password: Template
    }

    /// A client of an authorization server, with its secret if it has one.
    package struct Client: Sendable, Hashable {
        package var identifier: Template
        package var secret: Template?
        /// The client authentication method; `nil` for the default.
        package var authentication: Template?
        /// The private key that signs the client's assertions, the identifier of the key, and the audience of the assertions.
        package var key, keyIdentifier, audience: Template?
        /// Whether an RSA key signs by RSASSA-PSS.
        package var usesPSS = false
    }

    /// A form that is sent to a token endpoint, whose response is a token.
    package struct TokenCall: Sendable {
        /// A failure of a token request.
        package enum Failure: String, Sendable, Hashable, CaseIterable {
            case server, status, network, decode
            case noResponse = "no-response"
        }

        package var url: Template
        package var client: Client?
        package var form: [Member]
        /// The slot of the application's function that changes the request before it is sent.
        package var preparation: Int?
        /// The error cases for failures.
        package var failures: [(failure: Failure, errorCase: Located<String>)]
    }

    /// A login page, which is shown until the browser reaches an address or the user has entered a code.
    package struct Page: Sendable {
        /// The comparison with the address that ends a page.
        package enum Match: String, Sendable, Hashable, CaseIterable {
            case exact, path
            case pathAndQueryNames = "path-and-query-names"
        }

        /// A failure of a page.
        package enum Failure: String, Sendable, Hashable, CaseIterable {
            case dismissed, load, refused, reloaded, background
            /// The redirect says that the server refuses the login.
            case server
            /// The redirect has no usable values.
            case missing
        }

        package var url: Template
        /// Pages that replace it if they can be opened, in order of preference.
        package var alternatives: [Alternative] = []
        /// The items that are added to the page's query.
        package var query: [Member] = []
        /// The parameters that only a form has, which the browser posts with the query if one of them is present.
        package var form: [Member] = []
        /// The code verifier of RFC 7636.
        package var verifier: Template?
        /// The pushed authorization request that is sent before the page is opened.
        package var push: Push?
        package var end: End
        /// The query items of a redirect that must be equal if they come back.
        package var agreed: [Member] = []
        /// The callback URL by which another application continues the page.
        package var callback: ResolvedCallback?
        /// The meanings of statuses of the page.
        package var explanations: [(status: Int, text: String)] = []
        /// The error cases for failures.
        package var failures: [(failure: Failure, errorCase: Located<String>)] = []

        package enum End: Sendable {
            /// A redirect to the application: the slot of the parameter with the redirect URL, the query items that must come
            /// back, and the answers, of which the first that matches is used.
            case redirect(slot: Int, verify: [Member], answers: [Answer])
            /// An address at which the server ends the login, without a redirect URL in the request.
            case at(Template, match: Match)
            /// An end that is not observed: the user opens the page on any device, perhaps to enter a code.
            case userCode(Code)
        }

        package struct Push: Sendable {
            /// The endpoint. If it is absent, nothing is pushed.
            package var url: Template
            package var client: Client
            /// The proof of possession of the key to which the code is bound.
            package var proof: Proof?
        }

        package struct Code: Sendable {
            /// The code; `nil` for a page whose URL identifies the login.
            package var text: Template?
            /// The URL of the page that includes the code.
            package var complete: Template?
            /// The lifetime of the code or of the page.
            package var lifetime: Time?
        }

        package struct Alternative: Sendable {
            package var url: Template
            package var isOnlyEmbedded: Bool
            /// The query that replaces that of the page.
            package var query: [Member]?
            /// The slots of values that this page does not use, such as the page's code verifier.
            package var without: [Int] = []
        }
    }

    /// An expected answer.
    package struct Answer: Sendable {
        package var pattern: Challenge
        /// Whether the answer means that the server refuses the login.
        package var isRefusal: Bool
        /// The number of milliseconds by which the answer increases the pause before the next repetition.
        package var delay = 0
    }
}

extension ResolvedProgram.Page {
    /// The slot of the redirect URL, if the page ends with a redirect.
    package var redirect: Int? { if case .redirect(let slot, _, _) = end { slot } else { nil } }

    /// The address that ends the page, if the page leaves cookies.
    var address: ResolvedProgram.Template? { if case .at(let address, _) = end { address } else { nil } }

    /// The code of a page whose end is not observed; `nil` for other pages.
    package var code: Code? { if case .userCode(let code) = end { code } else { nil } }

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
        guard form.isEmpty else {
            return ResolvedProgram.Call(method: .post, url: url, query: [], headers: [], body: .form(query + form), answers: [])
        }
        return ResolvedProgram.Call(method: .get, url: url, query: query, headers: [], answers: [])
    }
}
