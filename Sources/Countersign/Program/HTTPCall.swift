/// A request of a method's own, on the way to a credential.
///
/// It goes without what observers attach, follows no redirect, and its answer is compared with ``answers`` in their order.
public struct HTTPCall: Sendable, Hashable {
    /// A name and its value; one whose value is absent is not sent.
    public struct Member: Sendable, Hashable {
        public let name: String
        public let value: ProgramTemplate

        /// Makes a member.
        public init(_ name: String, _ value: ProgramTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// A user and a password that are sent by HTTP Basic; if either is absent, neither is sent.
    public struct Login: Sendable, Hashable {
        public let user: ProgramTemplate
        public let password: ProgramTemplate

        /// Makes a login.
        public init(user: ProgramTemplate, password: ProgramTemplate) {
            self.user = user
            self.password = password
        }
    }

    /// An answer that is expected.
    public struct Answer: Sendable, Hashable {
        /// What it looks like, and what is taken from it.
        public let pattern: ChallengePattern
        /// Whether the server refuses the login with it.
        public let isRefusal: Bool

        /// Makes an answer.
        public init(_ pattern: ChallengePattern, isRefusal: Bool = false) {
            self.pattern = pattern
            self.isRefusal = isRefusal
        }
    }

    /// The method of HTTP.
    public let method: String
    public let url: ProgramTemplate
    /// What is added to the URL's query.
    public let query: [Member]
    public let headers: [Member]
    /// The members of the form that is sent; `nil` for no body.
    public let form: [Member]?
    public let login: Login?
    public let answers: [Answer]

    /// Makes a call.
    public init(
        _ method: String, _ url: ProgramTemplate, query: [Member] = [], headers: [Member] = [], form: [Member]? = nil,
        login: Login? = nil, answers: [Answer]
    ) {
        self.method = method
        self.url = url
        self.query = query
        self.headers = headers
        self.form = form
        self.login = login
        self.answers = answers
    }
}

extension HTTPCall {
    /// Whether a value of one of these slots is a part of the request.
    func uses(_ slots: [Int]) -> Bool {
        let members = query + headers + (form ?? [])
        let templates = [url, login?.user, login?.password].compactMap(\.self) + members.map(\.value)
        return templates.contains { template in
            template.pieces.contains { piece in
                if case .slot(let slot) = piece { slots.contains(slot) } else { false }
            }
        }
    }
}
