extension ResolvedProgram {
    /// A step, which runs if all of its conditions hold.
    package struct Step: Sendable {
        package enum Action: Sendable {
            /// Asks the application for those of the fields that are absent.
            case prompt([PromptField])
            /// Shows a login page.
            case present(Page)
            /// Sends a request.
            case http(Call)
            /// Sends a form to a token endpoint.
            case token(TokenCall)
            /// Fetches a document that a server publishes, unless it is cached.
            case document(Document)
            /// Verifies a token and captures its claims.
            case verify(Verification)
            /// Computes a value.
            case compute(slot: Int, Function)
            /// Asks the application for the fields of a server's page, whose JSON is in the first slot, and stores the answers in
            /// the second slot. `within` is the time limit of an answer in milliseconds.
            case ask(PromptPage, of: Int, into: Int, within: Int)
            /// Repeats steps while conditions hold.
            case `repeat`(Repetition)
        }

        /// A failure of a step.
        package enum Failure: String, Sendable, Hashable, CaseIterable {
            case status, network, missing, refused, late, endless, name, key, certificate, mismatch, untrusted
        }

        package var conditions: [Requirement]
        package var action: Action
        /// The error cases for failures.
        package var failures: [(failure: Failure, errorCase: Located<String>)] = []
    }

    /// A document that a server publishes.
    package struct Document: Sendable {
        package var name: String
        /// The places of the document. If a server does not have it at one place, the next is requested.
        package var places: [Place]
        /// The required values of the document, and the values to capture.
        package var content: Challenge
        /// The cache lifetime in milliseconds.
        package var lifetime: Int

        package struct Place: Sendable {
            package var url: Template
            /// The name under `/.well-known/`, before the path of the URL.
            package var wellKnown: String?
            /// Whether the path of the URL is omitted.
            package var isRoot = false
        }

        /// The requests for the document.
        var calls: [Call] {
            places.map {
                Call(
                    method: .get, url: $0.url, query: [], headers: [], answers: [Answer(pattern: content, isRefusal: false)])
            }
        }
    }

    /// The verification of a token.
    package struct Verification: Sendable {
        /// The slots of the token and of the URL of its issuer's keys.
        package var token, keys: Int
        /// The required claims. A claim is not compared if its expected value is absent.
        package var claims: [Member]
        /// The slot of the access token from the same response.
        package var accessToken: Int?
        /// The slot of the maximum age of the user's authentication in seconds.
        package var maximumAge: Int?
        package var captures: [Capture]

        /// The templates in the verification.
        var templates: [Template] {
            let conditions = captures.flatMap(\.items).flatMap(\.templates)
            return claims.map(\.value) + conditions
                + ([token, keys] + [accessToken, maximumAge].compactMap(\.self)).map { Template(pieces: [.slot($0)]) }
        }
    }

    /// The JSON pointers to the parts of a server's page, by their keys in the spec, in the order of the language.
    package typealias PromptPage = [(key: PromptPageKey, text: String)]

    package enum PromptPageKey: String, Sendable, Hashable, CaseIterable {
        case fields, name, prompt, preset, type, hidden, confirms, message
        case messageType = "message-type"
        case disclaimer
    }

    /// Steps that are repeated while all conditions hold.
    package struct Repetition: Sendable {
        package var limit: Int
        package var conditions: [Requirement]
        /// The pause before each run.
        package var interval: Time?
        /// The time limit of all runs.
        package var timeout: Time?
        package var steps: [Step]
    }

    /// A time that the spec or a server specifies.
    package enum Time: Sendable, Hashable {
        case milliseconds(Int)
        case slot(Int)

        /// The slot of a time that a server specifies.
        var slot: Int? { if case .slot(let slot) = self { slot } else { nil } }
    }

    /// A condition that a value is present, or that it is absent.
    package struct Requirement: Sendable, Hashable {
        package var slot: Int
        package var isPresent: Bool
    }

    /// The steps that renew a credential.
    package struct Renewal: Sendable {
        /// The slots whose values are required for a renewal.
        package var needs: [Int]
        package var steps: [Step]
    }

    package struct PromptField: Sendable {
        package enum Kind: Sendable {
            case text, secret, identity
        }

        package var slot: Int
        package var summary: String
        package var type = Kind.text
    }
}

extension ResolvedProgram.Step {
    /// The request of an `http` step; `nil` for other steps.
    var call: ResolvedProgram.Call? { if case .http(let call) = action { call } else { nil } }

    /// The requests of an `http` or `document` step.
    var calls: [ResolvedProgram.Call] {
        switch action {
        case .http(let call): [call]
        case .document(let document): document.calls
        case .prompt, .present, .token, .verify, .compute, .ask, .repeat: []
        }
    }

    /// The verification of a `verify` step; `nil` for other steps.
    var verification: ResolvedProgram.Verification? {
        if case .verify(let verification) = action { verification } else { nil }
    }

    /// The slot and the function of a `compute` step; `nil` for other steps.
    var computed: (slot: Int, function: ResolvedProgram.Function)? {
        if case .compute(let slot, let function) = action { (slot, function) } else { nil }
    }

    /// The step, preceded by the steps that it repeats.
    var all: [Self] { if case .repeat(let repetition) = action { repetition.steps.flatMap(\.all) + [self] } else { [self] } }

    /// The conditions for running and for repeating the step.
    var requirements: [ResolvedProgram.Requirement] {
        if case .repeat(let repetition) = action { conditions + repetition.conditions } else { conditions }
    }

    /// The slots whose values the step uses outside of templates.
    var wholeSlots: [Int] {
        switch action {
        case .ask(_, let slot, _, _): [slot]
        case .repeat(let repetition): [repetition.interval?.slot, repetition.timeout?.slot].compactMap(\.self)
        case .present(let page): [page.code?.lifetime?.slot].compactMap(\.self)
        case .prompt, .http, .token, .compute, .document, .verify: []
        }
    }
}
