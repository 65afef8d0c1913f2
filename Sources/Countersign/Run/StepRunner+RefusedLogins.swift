// The recognition of requests that repeat a refused login.
extension StepRunner {
    /// Whether a request contained values that the application was asked for. `nil` is a login page, which asks the user again by
    /// itself.
    func hasAsked(for call: HTTPCall?) -> Bool { call.map { $0.uses(asked) } ?? false }

    /// Throws if a server has recently refused the same request.
    func requireUnrefused(_ call: HTTPCall) throws {
        if let login = login(of: call), let refusal = refusedLogins.refusal(of: login, at: now()) { throw refusal }
    }

    /// Returns a request with secret parameters as a login; `nil` for any other request.
    func login(of call: HTTPCall) -> RefusedLogins.Login? {
        let slots = method.program.slots
        // A polled request is sent repeatedly by design, with values that the server has issued.
        guard !method.program.acquire.contains(where: { $0.polls(call) }) else { return nil }
        let given = slots.indices.filter { slots[$0].source == .parameter }
        let parts = momentary.filter { call.uses([$0.key]) }.values.reduce(into: Set()) { $0.formUnion($1) }
        func isPart(_ slot: Int) -> Bool { parts.contains(slot) || call.uses([slot]) }
        let secrets = given.filter { slots[$0].isSecret && isPresent($0) } + computed.filter { !combined.contains($0) }
        // A push counts even without secrets, because the user would not notice its repetition.
        guard secrets.contains(where: isPart) || method.program.acquire.contains(where: { $0.page?.pushCall() == call }) else {
            return nil
        }
        let used = (given + asked + computed).filter { momentary[$0] == nil && isPart($0) }
        return RefusedLogins.Login(call: call, values: Dictionary(used.map { ($0, values[$0]) }) { first, _ in first })
    }
}
