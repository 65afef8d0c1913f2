internal import HTTPTypes

// The additions of observers to a request.

extension Exchange {
    /// Returns the request as it is sent.
    func attached() async throws -> HTTPRequest {
        var head = try await attach()
        // Cookies are attached after the observers, so that a generation that an observer reports is never newer than the
        // cookies.
        attachCookies(to: &head)
        try session.requireCurrent(epoch)
        return head
    }

    /// Returns the caller's request with the observers' additions, for the origin that it is sent to.
    ///
    /// An observer may move the request to another origin, as a redirect does. Then the caller's fields are removed, except those
    /// of ``Redirect/isForAnyOrigin(_:)``, and so are the additions of the other observers, which were meant for the former
    /// origin. These observers are called again for the new origin. An observer that has moved the request is not, so that two
    /// observers cannot move it endlessly.
    private func attach() async throws -> HTTPRequest {
        sent = target
        unattached = request.head
        identity = nil
        credentialCookies = nil
        credentialParameters = AttachedParameters()
        credentialBody = nil
        var head = unattached
        guard !observers.isEmpty else { return head }
        var context = context
        var movers: Set<Int> = []
        var next = observers.startIndex
        while next < observers.endIndex {
            let index = next
            next += 1
            guard !movers.contains(index) else { continue }
            let before = head
            try await attach(observers[index], at: index, to: &head, in: context)
            if let credentialBody { context = self.context(with: credentialBody) }
            guard !head.hasSameTarget(as: before) else { continue }
            if let observer = observers[index] as? any CredentialObserver {
                noteParameters(of: observer, in: head)
                continue
            }
            if try takeTarget(of: &head, from: before, by: observers[index]) {
                movers.insert(index)
                next = observers.startIndex
            }
            context = self.context(with: credentialBody ?? request.body)
        }
        return head
    }

    /// Records the query parameters of a credential. The URL of the exchange stays the same, since URLs are logged.
    @inline(never)
    private func noteParameters(of observer: any CredentialObserver, in head: HTTPRequest) {
        credentialParameters.note(observer, in: head, addedTo: unattached)
    }

    /// Applies the target that an observer has set. Cookies, redirects and errors refer to it from now on, without the query
    /// parameters of credentials.
    ///
    /// - Returns: Whether the origin has changed.
    @inline(never)
    private func takeTarget(
        of head: inout HTTPRequest, from before: HTTPRequest, by observer: any SessionObserver
    ) throws -> Bool {
        var moved = try RequestTarget(taking: &head)
        var visible = head
        if !credentialParameters.isEmpty {
            visible.removeQueryParameters(of: credentialParameters)
            let fragment = moved.fragment
            moved = try RequestTarget(taking: &visible)
            moved.fragment = fragment
        }
        guard moved.origin != sent.origin else {
            sent = moved
            return false
        }
        guard sent.origin.scheme == "http" || moved.origin.scheme == "https" else {
            throw CountersignError(.insecureDestination, detail: "\(observer.name) sent the request from https to http")
        }
        let own = request.head.headerFields
        head = visible
        head.headerFields = HTTPFields(
            head.headerFields.filter { field in
                own.has(field) ? Redirect.isForAnyOrigin(field.name) : !before.headerFields.has(field)
            })
        unattached = head
        identity = nil
        credentialCookies = nil
        credentialParameters = AttachedParameters()
        credentialBody = nil
        handshake = nil
        sent = moved
        return true
    }

    private func attach(
        _ observer: any SessionObserver, at index: Int, to head: inout HTTPRequest, in context: ExchangeContext
    ) async throws {
        var attachment = observer.attach(to: &head, in: context)
        if attachment == .later { attachment = try await prepare(&head, by: observer, in: context) }
        try note(attachment, by: observer, at: index)
    }

    private func prepare(
        _ head: inout HTTPRequest, by observer: any SessionObserver, in context: ExchangeContext
    ) async throws -> Attachment {
        // The time of a login is not counted, since a login has its own limit.
        let elapsed = deadline.elapsed
        defer { deadline.elapsed = elapsed }
        let (attachment, prepared) = try await session.untilClosed { [head] in
            var head = head
            let attachment = try await observer.prepare(&head, in: context)
            return (attachment, head)
        }
        head = prepared
        return attachment
    }

    @inline(never)
    private func note(_ attachment: Attachment, by observer: any SessionObserver, at index: Int) throws {
        switch attachment {
        case .nothing: progress[index].carried = .none
        case .ready(let generation): progress[index].carried = generation
        case .connection(let identity, let generation):
            progress[index].carried = generation
            // A connection has one identity. The first observer takes precedence, as with challenges.
            self.identity = self.identity ?? identity
        case .cookies(let jar, let generation):
            // A request has the cookies of one login. The first observer takes precedence, as with challenges.
            progress[index].carried = credentialCookies == nil ? generation : .none
            credentialCookies = credentialCookies ?? jar
        case .handshake(let handshake, let generation):
            progress[index].carried = generation
            self.handshake = handshake
            negotiator = index
        case .body(let members, let rest):
            guard let body = members.added(to: credentialBody ?? request.body) else {
                throw CountersignError(.invalidRequest, detail: "the body has no place for the credential of \(observer.name)")
            }
            credentialBody = body
            try note(rest, by: observer, at: index)
        case .later:
            throw CountersignError(
                .refusedByObserver, detail: "\(observer.name) prepared a credential and still has none to attach")
        }
    }
}

extension HTTPRequest {
    /// Whether both requests have the same URL.
    func hasSameTarget(as other: HTTPRequest) -> Bool {
        path == other.path && authority == other.authority && scheme == other.scheme
    }
}
