package import CountersignSpec

/// The servers to which the secrets of a method can go, in words, for `countersign explain` and for the pages of the documentation.
package struct SecretWords {
    /// A secret.
    package struct Secret {
        package let name: String
        /// Whether no request has the secret itself, at most something that is computed from it.
        package let stays: Bool
        package let groups: [Group]
    }

    /// The parts of requests with a secret that go to the same servers.
    package struct Group {
        /// The form of the secret in them: `a signature`; `nil` for the secret itself.
        package let form: String?
        /// The servers: `{tokenURL}`.
        package let servers: String
        /// Each part: `the client authentication of POST {tokenURL} (step 6)`.
        package let parts: [String]
    }

    private let program: ResolvedProgram
    package let destinations: SecretDestinations
    private let style: ProgramWords.Style

    package init(_ program: ResolvedProgram, in style: ProgramWords.Style) {
        self.program = program
        self.style = style
        destinations = SecretDestinations(program)
    }

    /// The secrets, in the order of the spec.
    package var secrets: [Secret] {
        destinations.secrets.map { secret in
            Secret(name: plain(secret.name), stays: !secret.leaves, groups: groups(of: secret))
        }
    }

    /// Returns the servers that can receive a request, each in words.
    package func servers(of place: SecretDestinations.Place) -> [String] { place.origins.map { words(of: $0) } }

    /// Returns the name in a part of a request, such as that of a header field; `nil` if the part has none.
    package func name(of part: SecretDestinations.Part) -> String? { part.name?.text(program.slots) }

    /// Returns the words for a request: `POST {tokenURL}`.
    package func words(of request: SecretDestinations.Request) -> String {
        switch request {
        case .step(let method, let url): plain("\(method.rawValue) \(url.text(program.slots))")
        case .page(let url): "the page \(plain(url.text(program.slots)))"
        case .application: "requests"
        }
    }

    /// Returns the words for a step: `step 6`.
    package func words(of step: SecretDestinations.StepNumber) -> String {
        switch step.section {
        case .acquire: "step \(step.number)"
        case .renew: "renewal \(step.number)"
        case .end: "end \(step.number)"
        }
    }

    // MARK: Groups

    private func groups(of secret: SecretDestinations.Secret) -> [Group] {
        let own = Set(secret.places.filter { $0.form == .itself }.flatMap(\.origins))
        var groups: [(place: SecretDestinations.Place, parts: [String])] = []
        for place in secret.places {
            // A server that receives the secret itself can compute the rest.
            guard place.form == .itself || !own.isSuperset(of: place.origins) else { continue }
            let index = groups.firstIndex { $0.place.form == place.form && $0.place.origins == place.origins }
            if let index { groups[index].parts.append(words(of: place)) } else { groups.append((place, [words(of: place)])) }
        }
        return groups.map { place, parts -> Group in
            let servers = self.servers(of: place).joined(separator: ", ")
            return Group(form: words(of: place.form), servers: servers.isEmpty ? "the user" : servers, parts: parts)
        }
    }

    private func words(of place: SecretDestinations.Place) -> String {
        let steps = place.steps.map { words(of: $0) }.joined(separator: ", ")
        let part = place.part.kind == .user ? "beside" : "\(words(of: place.part)) of"
        return "\(part) \(words(of: place.request))\(steps.isEmpty ? "" : " (\(steps))")"
    }

    private func words(of part: SecretDestinations.Part) -> String {
        let name = part.name.map { " " + plain($0.text(program.slots)) } ?? ""
        return switch part.kind {
        case .path: "the path"
        case .header: "the field\(name)"
        case .query: "the query item\(name)"
        case .form: "the form field\(name)"
        case .json: "the JSON member\(name)"
        case .xml: "the XML"
        case .body: "the body"
        case .handshake: "the TLS handshake"
        case .cookies: "the cookies"
        case .client: "the client authentication"
        case .user: "a text"
        }
    }

    private func words(of form: SecretDestinations.Form) -> String? {
        switch form {
        case .itself: nil
        case .hash: "a hash"
        case .authenticationCode: "a message authentication code"
        case .passcode: "a one-time passcode"
        case .signature: "a signature"
        case .thumbprint: "the thumbprint of its public key"
        case .certificate: "its certificate"
        }
    }

    private func words(of origin: SecretDestinations.Origin) -> String {
        switch origin {
        case .literal(let text): plain(text)
        case .parameter(let name): plain("{\(name)}")
        case .challenging: "the server of the challenge"
        case .requested: "the first server that receives a request"
        case .ofCookies: "the servers that set them"
        case .anywhere(let name): "any server\(name.isEmpty ? "" : " that \(plain(name)) names")"
        }
    }

    /// Returns a text as code in Markdown. In a terminal it is not quoted.
    private func plain(_ text: String) -> String { style == .terminal ? text : MarkdownText.code(text) }
}
