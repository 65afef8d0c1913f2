internal import HTTPTypes

extension Exchange {
    /// Returns the redirect in the response; `nil` if there is none.
    @inline(never)
    func redirect() throws -> Redirect? {
        do {
            return try response.flatMap { try Redirect(in: $0.head, from: sent) }
        } catch {
            response?.body.cancel()
            throw error
        }
    }

    /// Makes the redirect's target the next request.
    func follow(_ redirect: Redirect) async throws {
        guard let head = response?.head else { return }
        await discardBody()
        try session.requireCurrent(epoch)
        redirects += 1
        guard redirects <= session.configuration.maximumRedirects else {
            throw CountersignError(
                .tooManyRedirects, detail: "the server redirects more than \(session.configuration.maximumRedirects) times",
                status: redirect.status)
        }
        var next = try redirect.request(after: request, from: target.origin)
        // A server may repeat the query of the request in its redirect. The credential is attached again if it may go to the new
        // target, and otherwise must not be sent there, or be shown as a part of its URL.
        next.head.removeQueryParameters(of: credentialParameters)
        var nextTarget = try RequestTarget(taking: &next.head)
        let context = context
        for observer in observers {
            let before = next.head
            try await observer.redirect(head, to: &next.head, in: context)
            guard !next.head.hasSameTarget(as: before) else { continue }
            let moved = try RequestTarget(taking: &next.head)
            if moved.origin != nextTarget.origin {
                // Fields from before were meant for the origin that the server named. Fields that the observer added are meant
                // for the origin that it chose.
                next.head.headerFields = HTTPFields(
                    next.head.headerFields.filter { Redirect.isForAnyOrigin($0.name) || !before.headerFields.has($0) })
            }
            nextTarget = moved
        }
        guard sent.origin.scheme == "http" || nextTarget.origin.scheme == "https" else {
            throw CountersignError(
                .redirectRefused, detail: "an observer changed the redirect to lead from https to http", status: redirect.status)
        }
        guard credentialParameters.isEmpty || nextTarget.origin == sent.origin || !next.head.contains(credentialParameters) else {
            throw CountersignError(
                .redirectRefused, detail: "the redirect to \(nextTarget.origin) contains a credential of the request's query",
                status: redirect.status)
        }
        nextTarget.fragment = nextTarget.fragment ?? redirect.fragment
        request = next
        target = nextTarget
        handshake = nil
        for index in progress.indices { progress[index].noteRedirect() }
        answers.endSpaces()
        session.report(
            SessionEvent(.redirected(status: redirect.status), origin: target.origin, requestMethod: request.head.method))
    }
}
