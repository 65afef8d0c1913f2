/// A method, described as the life cycle of its credential, from the challenge to the rejection.
///
/// Values have slots: first the parameters in the order of the file, then the values of challenges, then the fields of the
/// credential, then the values that steps determine.
package struct ResolvedProgram: Sendable {
    package var name: Located<String>
    /// The name of the grant, if the method has several ways to a credential.
    package var grant: String?
    /// The stem of the file, which names the generated file.
    package var stem: String
    package var documentation: Documentation
    /// The name for users, if it differs from the method's name.
    package var title: String?
    /// The parameters that the application gives. They have the first slots.
    package var parameters: [ResolvedField]
    /// All values that have a name.
    package var slots: [Slot]
    /// The header fields by which all requests announce the client's capabilities.
    package var announcements: [Member] = []
    package var challenges: [Challenge]
    package var credential: Credential
    package var acquire: [Step]
    /// The renewal of a credential; `nil` if the method has none.
    package var renewal: Renewal?
    package var attach: [Placement]
    /// The fields of the credential that responses change.
    package var updates: [Update] = []
    package var rejections: [Rejection]
    /// The steps that tell servers that the credential is no longer used.
    package var end: [Step]
    /// The method's own error types.
    package var errors: [ResolvedErrorType] = []
    /// The error cases for failures to obtain a credential.
    package var failures: [(failure: Failure, errorCase: Located<String>)] = []

    /// A reason why there is no credential.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The user dismissed the login.
        case cancelled
        /// The application has no credential.
        case missing
        /// The values from the application cannot be used.
        case unusable
        /// A parameter cannot be used.
        case invalidArgument
        /// An authentication was begun explicitly while another was under way.
        case busy
    }
}

extension ResolvedProgram {
    package struct Slot: Sendable {
        package enum Source: String, Sendable, Hashable {
            case parameter, challenge, credential, step
        }

        package var name: Located<String>
        package var source: Source
        package var isSecret: Bool
        /// The filling of a parameter's slot, unless it is the unchanged value of a field.
        package var filling: Filling?
        /// Whether a stored credential is found only with the same value, as long as that is a parameter and not a secret.
        package var identifies = true
    }

    /// A text or an address that is made of parameters.
    package enum Filling: Sendable, Hashable {
        case text(ResolvedTemplate)
        case url(ResolvedTemplate)
        /// A URL that can be absent.
        case optionalURL(ResolvedTemplate)
        /// A text that is absent if it is empty.
        case nonempty(ResolvedTemplate)
        /// A list of texts that is absent if it is empty.
        case texts(ResolvedTemplate)
        /// The servers that may receive the credential, by the addresses in the steps.
        case servers
        /// The application's function that changes a request before it is sent, by its field.
        case preparation(Located<String>)
    }

    /// A text with inserted values.
    package struct Template: Sendable, Hashable {
        package enum Piece: Sendable, Hashable {
            case text(String)
            case slot(Int)
            /// The origin of the request.
            case requestOrigin
            /// A part of the request that is signed.
            case request(RequestPart)
            /// A value that is computed for each request, by its index.
            case computed(Int)
        }

        package var pieces: [Piece]
    }

    /// A part of a request as it is sent.
    package enum RequestPart: String, Sendable, Hashable, CaseIterable {
        case method, host, path, query, target, body
    }

    /// A pattern of a challenge, or of the answer to a request that the method itself sends. All its conditions must hold.
    package struct Challenge: Sendable {
        package var name: Located<String>
        /// The conditions on the parameters.
        package var conditions: [Requirement] = []
        /// Whether the challenge is a connection that the server refuses.
        package var isRefusedConnection = false
        /// The statuses; empty for any.
        package var statuses: [Int]
        package var headers: [Condition]
        /// The authentication schemes that the response offers, at most one in each header field.
        package var schemes: [Scheme]
        /// The condition on the text of the body; `nil` for none.
        package var text: Condition.Match?
        /// The conditions on values of a JSON body, by pointer.
        package var json: [Condition]
        /// The conditions on texts of an XML body, by path.
        package var xml: [Condition] = []
        /// The conditions on the cookies that the response sets: `nil` for none, and an empty list for a cookie with any name.
        package var cookies: [Condition]?
        /// The query of the URL that a browser was sent back to.
        package var query: [Condition]
        package var captures: [Capture]
        /// A real response that matches the pattern, for documentation.
        package var example: ResponseExample?
    }

    /// An authentication scheme, with conditions on its parameters that must all hold.
    package struct Scheme: Sendable, Hashable {
        /// The header field that offers a scheme, by its key in the language.
        package enum Field: String, Sendable, Hashable, CaseIterable {
            case wwwAuthenticate = "www-authenticate"
            case proxyAuthenticate = "proxy-authenticate"
        }

        package var field = Field.wwwAuthenticate
        package var name: String
        package var parameters: [Condition]
    }

    /// A condition on a named value.
    package struct Condition: Sendable, Hashable {
        package enum Match: Sendable, Hashable {
            case present
            /// There is no such value.
            case absent
            case equals(Template)
            case prefix(Template)
            case contains(Template)
            /// The whole value, ignoring case.
            case anyCase(Template)
        }

        package var name: Template
        package var match: Match
    }

    /// A value that is captured from a challenge or an answer.
    package struct Capture: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            case header(String)
            /// A parameter of the authentication scheme.
            case parameter(String)
            /// Pointers into a JSON body. The first that leads to a value is used.
            case json([String])
            /// A cookie that is set.
            case cookie(String)
            /// A value in the query of the URL that a browser was sent back to.
            case query(String)
            /// An input of an HTML body, by its name.
            case input(Template)
            /// An element or an attribute of XML, by its path.
            case xml(String)
            /// The whole body.
            case body
        }

        /// The interpretation of a captured value.
        package enum Kind: Sendable, Hashable {
            case text
            /// A text that is written in base64.
            case decoded
            case url(within: [Place], isLenient: Bool)
            /// A number of units of time.
            ///
            /// - Parameter unit: The length of the unit in milliseconds.
            case duration(unit: Int)
            /// A point in time, converted to the time that remains until then.
            case date
            /// A point in time, unchanged.
            case moment
            /// The server's time.
            case clock
            /// The texts of a list, or a single text.
            case texts
            /// The whole body, parsed if it is JSON.
            case json
            /// An element of XML.
            case element
            /// Whether the value, or any item of a list, equals this text.
            case flag(is: String)
            /// A JSON Boolean, which must be present.
            case truth

            /// Whether the value is the time that remains.
            var isDuration: Bool { if case .duration = self { true } else { self == .date } }
        }

        /// The origins to which a captured URL may lead.
        package enum Place: Sendable, Hashable {
            /// The origin of the response.
            case response
            /// The origins of a parameter.
            case slot(Int)
        }

        package var slot: Int
        package var source: Source
        /// The conditions on the item of a list that has the value, by JSON pointers; empty for any item.
        package var items: [Condition] = []
        package var kind = Kind.text
        package var fallback: String?
        /// Whether a response without the value matches.
        package var isOptional: Bool

        /// Whether a response without the value does not match.
        var isDemanded: Bool { !isOptional && fallback == nil }
    }

    /// A field of the credential that responses replace.
    package struct Update: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            /// The first of these header fields that a response has once, and not empty.
            case headers([String])
            case cookie(String)
        }

        package var slot: Int
        package var source: Source
    }

    package struct Rejection: Sendable, Hashable {
        package enum Action: String, Sendable, Hashable, CaseIterable {
            case resend, renew, acquire
        }

        /// The name of the challenge; `nil` for any.
        package var challenge: String?
        /// The actions in this order. Each is run if the ones before it have no result.
        package var actions: [Action]
        package var retries: Int
        /// Whether the credential stays valid for other requests.
        package var keepsCredential = false
        /// The error case if no action has a result.
        package var error: Located<String>?
    }
}

extension ResolvedProgram.Filling {
    /// The template; `nil` if the filling has none.
    package var template: ResolvedTemplate? {
        switch self {
        case .text(let template), .url(let template), .optionalURL(let template), .nonempty(let template), .texts(let template):
            template
        case .servers, .preparation: nil
        }
    }
}

extension ResolvedProgram.Challenge {
    /// Whether a response that matches the pattern sets a cookie.
    package var setsCookies: Bool { cookies.map { $0.isEmpty || $0.contains { $0.match != .absent } } ?? false }
}

extension ResolvedProgram.Condition {
    init(name: String, match: Match) {
        self.init(name: ResolvedProgram.Template(pieces: [.text(name)]), match: match)
    }
}

extension ResolvedProgram.Template {
    /// The slots to which the template refers.
    var slots: [Int] {
        pieces.compactMap { piece in
            if case .slot(let slot) = piece { slot } else { nil }
        }
    }

    /// The indices of the values computed for each request to which the template refers.
    var computed: [Int] {
        pieces.compactMap { piece in
            if case .computed(let number) = piece { number } else { nil }
        }
    }
}
