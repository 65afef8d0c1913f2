internal import Synchronization

extension ManagedCredential {
    /// Obtains a credential other than the refused one, for a request that needs it.
    func acquire(
        insteadOf refused: HeldCredential?, replacing expired: HeldCredential?, by rule: RejectionRule?,
        after challenge: ChallengeReading, for exchange: ExchangeContext
    ) async throws -> HeldCredential {
        var prompt = CredentialPrompt(origin: exchange.origin, url: exchange.url, challenge: method.texts(of: challenge))
        prompt.response = challenge.response
        guard method.isForOneRequest, method.isInteractive else {
            return try await acquire(
                insteadOf: refused, replacing: expired, by: rule, after: challenge, in: exchange.session, prompting: prompt,
                hooks: exchange.hooks ?? method.hooks)
        }
        // The user confirms one request at a time.
        let clock = ContinuousClock()
        let turn = CredentialKey(method.program.name)
        let found = try await method.turns.withLock(on: turn, until: clock.now + interactiveTimeout, clock: clock) {
            [self, prompt] in
            try await acquire(
                insteadOf: refused, replacing: expired, by: rule, after: challenge, in: exchange.session, prompting: prompt,
                hooks: exchange.hooks ?? method.hooks)
        }
        guard let found else { throw CountersignError(.timedOut, detail: "the user was still asked for other requests") }
        return found
    }

    /// Obtains a credential other than the refused one.
    ///
    /// - Parameters:
    ///   - expired: The expired credential that the new one replaces. Steps can read its values, as those of a refused one.
    ///   - rule: The rule for a refused credential. It also applies to a login that is refused during the steps.
    ///   - prompt: The prompt for the application; `nil` if no request needs the credential.
    func acquire(
        insteadOf refused: HeldCredential?, replacing expired: HeldCredential?, by rule: RejectionRule?,
        after challenge: ChallengeReading, in session: Session, prompting prompt: CredentialPrompt?, hooks: ApplicationHooks
    ) async throws -> HeldCredential {
        if let tokens = method.tokens { return try await credential(issuedBy: tokens, in: session, hooks.review) }
        if let own = hooks.authenticate { return try await credential(leftBy: own, in: session, hooks.review) }
        var rule = rule
        var refused = refused
        var refusals = Refusals()
        var steps = method.program.acquire
        var lifetime: TokenLifetime?
        if let refused {
            refusals = row(endingWith: refused, by: rule, after: challenge)
            guard let rule, refusals.count <= rule.retries, rule.actions.contains(where: { $0 != .renew })
            else { throw refusedForGood(by: rule) }
            if rule.actions == [.resend] {
                steps = []
                lifetime = refused.lifetime
            }
        }
        refusals.challenges.append(challenge.name)
        while true {
            var runner = StepRunner(method, after: challenge, in: session, report: report)
            if let previous = refused ?? expired { runner.begin(after: previous) }
            runner.refusedLogins =
                method.isForOneRequest ? method.refusedLogins.logins.withLock(\.self) : state.withLock(\.refusedLogins)
            var prompt = prompt
            prompt?.refusals = refusals.count
            prompt?.refused = refusals.values
            do {
                try await run(steps, by: &runner, prompt, after: refusals, answering: challenge)
                if steps.isEmpty, let refused { runner.keep(refused) }
                var next = try held(by: runner, after: refusals, answering: challenge, lifetime: lifetime)
                // The application's own values are not revoked.
                if !steps.isEmpty, !method.onlyAsks { try note(brought: &next) }
                if refused.map({ !next.isSent(as: $0) }) ?? true {
                    // Without steps, only values of the challenge are resent, so there is nothing new to review.
                    guard !steps.isEmpty, let signature = try await refusal(of: &next, by: hooks.review, in: session) else {
                        return next
                    }
                    // A refusal during the review is handled like the refusal of any other request.
                    rule = method.program.rule(for: signature)
                    refused = next
                }
                // A refused credential is not sent again. The next prompt names its values.
                state.withLock { [next] state in state.unused.removeAll { $0.revocation === next.revocation } }
                refusals.values.append(next.values)
            } catch let refusal as CallRun.Refusal {
                // Only a login with values from a prompt can succeed at another attempt, since parameters do not change.
                guard runner.hasAsked(for: refusal.call), refusals.count < rule?.retries ?? 0 else {
                    note(refusal, of: runner)
                    throw refusal.error
                }
            } catch let failure as CredentialFailure {
                // No credential other than the refused ones is available.
                if failure == .missing, !refusals.values.isEmpty { throw refusedForGood(by: rule) }
                throw method.error(for: failure, at: prompt?.origin)
            }
            refusals.count += 1
            guard !steps.isEmpty, refusals.count <= rule?.retries ?? 0 else { throw refusedForGood(by: rule) }
        }
    }

    /// Runs the steps of a login.
    ///
    /// If they fail after a server has issued the credential, for example since it belongs to another user, a logout revokes it.
    private func run(
        _ steps: [ProgramStep], by runner: inout StepRunner, _ prompt: CredentialPrompt?, after refusals: Refusals,
        answering challenge: ChallengeReading
    ) async throws {
        guard method.revokesUnused, !method.onlyAsks, !steps.isEmpty else { return try await runner.run(steps, prompt) }
        let before = runner
        do {
            try await runner.run(steps, prompt)
        } catch {
            // Parameters and answers, such as a wrong password, are no credential that a server has issued.
            let hasCookies = runner.hasObtainedCookies
            if hasCookies || runner.hasObtainedFields(since: before),
                var lost = try? held(by: runner, after: refusals, answering: challenge, lifetime: nil),
                hasCookies || !lost.attachedNames.isEmpty
            {
                try note(brought: &lost)
            }
            throw error
        }
    }

    /// Returns the refusals in a row, including that of the current credential. An accepted credential starts a new row.
    ///
    /// A credential from the application does not expire by itself. If it is refused within the authentication window, the
    /// refusal counts although a server has accepted the credential, since the resource that accepted it may be public.
    ///
    /// If only the request needs more, a credential that was obtained after another challenge is not refused for the same reason,
    /// for example if a service wants another scope and then another authentication (RFC 6750, section 3.1; RFC 9470). Only
    /// credentials count that were obtained after a challenge of the same name.
    private func row(endingWith refused: HeldCredential, by rule: RejectionRule?, after challenge: ChallengeReading) -> Refusals {
        let isNew = refused.isAccepted || refused.isRenewed
        let row = refused.refusals.challenges
        var counted = Refusals(
            count: refused.refusals.count + 1, values: refused.refusals.values + [refused.values], challenges: row)
        guard isNew else {
            if rule?.keepsCredential == true { counted.count = row.count { $0 == challenge.name } }
            return counted
        }
        guard method.onlyAsks, now() - refused.since < authenticationWindow else {
            return Refusals(count: 0, values: [refused.values])
        }
        return refused.refusals.count == 0 ? Refusals(count: min(1, rule?.retries ?? 0), values: counted.values) : counted
    }

    /// Returns the credential that the steps have produced.
    ///
    /// - Throws: The method's error if the credential cannot be sent; ``CountersignError``.
    private func held(
        by runner: StepRunner, after refusals: Refusals, answering challenge: ChallengeReading, lifetime: TokenLifetime?
    ) throws -> HeldCredential {
        if let before = runner.sessionCookies, let after = runner.cookies?.snapshot() {
            var credential = try held(runner.values, nil, signer: nil, after: refusals)
            credential.login = CookieLogin(before: before, after: after)
            return credential
        }
        guard runner.cookies?.isEmpty != true else {
            throw CountersignError(.unexpectedAnswer, detail: "the login set no cookie that can be stored")
        }
        do throws(CountersignError) {
            var signer: DigestSigner?
            for placement in method.program.attach where signer == nil {
                signer = try placement.signer(runner.values, for: challenge.digest)
            }
            return try held(runner.values, runner.cookies, signer: signer, after: refusals, lifetime: lifetime)
        } catch {
            throw method.error(method.program.failures[.unusable], or: error)
        }
    }

    /// Has a new credential reviewed. On return, it is accepted and can be stored, unless the server has refused it.
    ///
    /// - Returns: The signature of the challenge with which the server refused the credential in the review's requests; `nil` if
    ///   it did not.
    private func refusal(
        of credential: inout HeldCredential, by review: AuthenticationReview?, in session: Session
    ) async throws -> String? {
        guard let review, review.isWanted(), let scope = FlightScope.current else { return nil }
        do {
            if let login = credential.login {
                let jar = session.cookies.fork()
                jar.adopt(login.after, since: login.before)
                try await scope.review(review, of: .cookies(jar), in: session)
                credential.login?.after = jar.snapshot()
            } else {
                try await scope.review(review, of: .credential(credential), in: session)
            }
            return nil
        } catch let refusal as ProvisionalRefusal {
            return refusal.signature
        } catch let error as TransportError {
            throw ApplicationFailure(error: error)
        }
    }

    /// Obtains a token, and has it reviewed if it comes from a login.
    private func credential(
        issuedBy tokens: any TokenSource, in session: Session, _ review: AuthenticationReview?
    ) async throws -> HeldCredential {
        do {
            var credential = held(try await tokens.obtain(in: session, clock: clock))
            try note(brought: &credential)
            if tokens.isInteractive { _ = try await refusal(of: &credential, by: review, in: session) }
            return credential
        } catch let incomplete as IncompleteGrant {
            // A logout revokes the token.
            var lost = held(incomplete.issued)
            try note(brought: &lost)
            throw tokens.translated(incomplete.error)
        } catch let failure as OAuth2TokenFailure {
            throw tokens.error(for: failure)
        }
    }

    /// Runs the application's own authentication, and returns the credential that it has left in the session, after its review.
    private func credential(
        leftBy own: @Sendable (Session) async throws -> Void, in session: Session, _ review: AuthenticationReview?
    ) async throws -> HeldCredential {
        let user = session.epoch
        let before = session.cookies.snapshot()
        do {
            try await own(session)
        } catch let error as TransportError {
            throw ApplicationFailure(error: error)
        }
        var credential = try held(method.parameters, nil, signer: nil)
        guard let review, review.isWanted() else { return credential }
        // The new cookies are removed from the session's jar until the review has ended.
        let after = session.cookies.fork().snapshot()
        guard session.changeCookies(in: user, session.cookies.change(adopting: before, since: after)) else {
            throw FlightFailure.sessionEnded
        }
        credential.login = CookieLogin(before: before, after: after)
        _ = try await refusal(of: &credential, by: review, in: session)
        return credential
    }

    /// Records a refused login with values of the parameters, so that it is not repeated for a while. A login with input of the
    /// user is not recorded, since the user may enter the same values again, and neither is one that the server could not decide on.
    private func note(_ refusal: CallRun.Refusal, of runner: StepRunner) {
        guard !refusal.isOutage, !runner.hasAsked(for: refusal.call), let call = refusal.call, let login = runner.login(of: call)
        else { return }
        let now = now()
        let end = now + refusedLoginInterval
        if method.isForOneRequest {
            method.refusedLogins.logins.withLock { $0.noteFirst(login, refusal, at: now, until: end) }
        } else {
            state.withLock { $0.refusedLogins.noteFirst(login, refusal, at: now, until: end) }
        }
    }

    func refusedForGood(by rule: RejectionRule?) -> any Error {
        let detail =
            rule?.actions.isEmpty == true
            ? "the server requires more than a login of this method can request" : "the server refuses the credential"
        return method.error(rule?.error, or: CountersignError(.challengedAgain, detail: detail, origin: place.server))
    }
}

extension CallRun.Refusal {
    /// The error of the waiting requests.
    var error: CountersignError {
        var error = CountersignError(
            .refusedByServer,
            detail: "the server refuses the login" + (code.map { ": \($0)" } ?? "") + (clocks.map { "; \($0)" } ?? ""),
            origin: origin, status: status)
        error.serverErrorCode = code
        error.serverMessage = message
        error.retryAfter = retryAfter
        return error
    }
}
