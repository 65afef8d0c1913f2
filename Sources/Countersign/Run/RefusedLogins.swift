/// The logins with secrets of the parameters that servers have refused: none is repeated for a while, so that no account is locked by requests
/// that come again and again.
struct RefusedLogins: Sendable {
    /// A request of a method's own, and what the application and its clock have filled it with; what servers say is left out, such as the
    /// number of a form.
    struct Login: Sendable, Hashable {
        let call: HTTPCall
        let values: [Int: ProgramValue]
    }

    private var refusals: [Login: (refusal: CallRun.Refusal, end: Duration)] = [:]

    /// More than these are not remembered: the oldest go.
    private static var most: Int { 16 }

    /// How a login was refused that is not to be repeated yet.
    func refusal(of login: Login, at now: Duration) -> CallRun.Refusal? {
        refusals[login].flatMap { now < $0.end ? $0.refusal : nil }
    }

    /// Notes that a login was refused.
    mutating func note(_ login: Login, _ refusal: CallRun.Refusal, until end: Duration) {
        refusals[login] = (refusal, end)
        if refusals.count > Self.most, let oldest = refusals.min(by: { $0.value.end < $1.value.end }) { refusals[oldest.key] = nil }
    }
}
