import Countersign
import HTTPTypes

// Every response is compared by the client's own comparison, so that it is the one that was meant.

extension DescribedProgram {
    /// Returns the first response without a refusal that has values for the client, or otherwise the first without a refusal.
    ///
    /// - Parameter values: The values of the request by slot.
    func response(to call: HTTPCall, _ values: [Int: String]) -> DescribedResponse? {
        let patterns = call.answers.map(\.pattern)
        let usable = call.answers.indices.lazy.compactMap { number -> (Int, DescribedResponse)? in
            guard !call.answers[number].isRefusal else { return nil }
            let response = DescribedResponse(patterns[number], of: self, given: values, withOptional: false)
            return number == chosen(from: patterns, for: response, filled(values), areAnswers: true) ? (number, response) : nil
        }
        let rich = usable.first { patterns[$0.0].setsCookies || !patterns[$0.0].captures.isEmpty }
        return (rich ?? usable.first)?.1
    }

    /// Returns the first response that the spec describes as a refusal.
    func refusal(of call: HTTPCall) -> MockResponse? {
        let patterns = call.answers.map(\.pattern)
        return patterns.indices.lazy.compactMap { number -> MockResponse? in
            guard call.answers[number].isRefusal else { return nil }
            let response = DescribedResponse(patterns[number], of: self, given: [:], withOptional: false)
            return number == chosen(from: patterns, for: response, known, areAnswers: true) ? response.response : nil
        }.first
    }

    /// Returns the query with which a login page redirects to the application.
    func redirect(_ redirect: LoginPage.Redirect, _ values: [Int: String]) -> DescribedResponse? {
        let patterns = redirect.answers.map(\.pattern)
        return patterns.indices.lazy.compactMap { number in
            // With 'error', it is an error response (RFC 6749, section 4.1.2.1), which some steps answer with another request.
            let isError = patterns[number].query.contains { $0.name == "error" }
            guard !redirect.answers[number].isRefusal, !isError else { return nil }
            let response = DescribedResponse(patterns[number], of: self, given: values, withOptional: false)
            return patterns.index(matching: response.query, from: base, filled(values)) == number ? response : nil
        }.first
    }

    /// Returns a document of the server.
    func response(with document: ProgramDocument, _ values: [Int: String]) -> DescribedResponse {
        let pattern = ChallengePattern("document", statuses: [200], json: document.json, captures: document.captures)
        return DescribedResponse(pattern, of: self, given: values, withOptional: false)
    }

    /// Returns a challenge.
    ///
    /// - Parameter name: The name of the challenge, with all its optional values; `nil` for one that leads to a login, and of those
    ///   the one with the fewest conditions, since those with more ask for something special, such as another scope.
    func challenge(named name: String?) -> DescribedResponse? {
        let patterns = program.challenges
        // The sort is stable: of several equal ones, the first is used.
        let order = patterns.indices.sorted { first, second in
            let leads = (leadsToLogin(patterns[first]), leadsToLogin(patterns[second]))
            return leads.0 == leads.1 ? patterns[first].conditionCount < patterns[second].conditionCount : leads.0
        }
        return order.lazy.compactMap { number -> DescribedResponse? in
            guard name == nil || patterns[number].name == name, !patterns[number].isRefusedConnection else { return nil }
            let response = DescribedResponse(patterns[number], of: self, given: [:], withOptional: name != nil)
            return number == chosen(from: patterns, for: response, known, areAnswers: false) ? response : nil
        }.first
    }

    /// Whether a credential that is refused with the challenge is replaced by another one.
    private func leadsToLogin(_ challenge: ChallengePattern) -> Bool {
        let rule = program.rejections.first { $0.challenge == nil || $0.challenge == challenge.name }
        return rule.map { $0.actions.contains(.acquire) && !$0.keepsCredential } ?? false
    }

    /// The number of the pattern that the client chooses for a response.
    private func chosen(
        from patterns: [ChallengePattern], for response: DescribedResponse, _ values: [ProgramValue], areAnswers: Bool
    ) -> Int? {
        patterns.index(
            matching: response.response.head, body: response.response.body, from: base, values, areAnswers: areAnswers)
    }

    /// Creates each response once.
    ///
    /// - Returns: The slots for which responses have a value.
    /// - Throws: ``MockLandscapeError`` if no response can be created that the client would understand.
    func rehearse() throws(MockLandscapeError) -> Set<Int> {
        func unplayable(_ place: String) -> MockLandscapeError {
            .unplayable(
                method: program.name, key: place, reason: "no response can be made of its patterns that the client would recognise")
        }
        var sent: Set<Int> = []
        // Texts that a request would have.
        let values = Dictionary(uniqueKeysWithValues: program.slots.indices.map { ($0, "rehearsal") })
        for call in calls {
            switch call.request {
            case .http(let http):
                guard http.answers.contains(where: { !$0.isRefusal }) else { continue }
                guard let response = self.response(to: http, values) else { throw unplayable(call.place) }
                sent.formUnion(response.sent)
            case .page(let page):
                guard case .redirect(let redirect) = page.end else { continue }
                guard let response = self.redirect(redirect, values) else { throw unplayable(call.place) }
                sent.formUnion(response.sent)
            case .document(let document): sent.formUnion(response(with: document, values).sent)
            case .token: sent.formUnion([token.access, token.refresh])
            case .push, .finish: continue
            }
        }
        if !program.challenges.isEmpty {
            guard let challenge = self.challenge(named: nil) else { throw unplayable("challenge") }
            sent.formUnion(challenge.sent)
        }
        return sent
    }
}

extension ChallengePattern {
    /// Whether a response that matches the pattern sets a cookie.
    var setsCookies: Bool {
        switch cookies {
        case nil: false
        case .any: true
        case .named(let cookies): cookies.contains { $0.match != .absent }
        }
    }

    /// The number of conditions beside the status.
    fileprivate var conditionCount: Int {
        let cookieCount = if case .named(let cookies)? = cookies { cookies.count } else { cookies == nil ? 0 : 1 }
        return headers.count + json.count + xml.count + query.count + cookieCount + (text == nil ? 0 : 1)
            + schemes.reduce(0) { $0 + 1 + $1.parameters.count }
    }
}

extension MockResponse {
    /// The head of the response.
    fileprivate var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}
