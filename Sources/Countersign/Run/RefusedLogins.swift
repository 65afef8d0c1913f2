internal import Synchronization

/// The logins with secret parameters that servers have refused. None is repeated for a while, so that frequent requests do not
/// lock an account.
struct RefusedLogins: Sendable {
    /// A method's own request with the values of the application and its clock. Values of servers, such as the number of a form,
    /// are not compared.
    struct Login: Sendable, Hashable {
        let call: HTTPCall
        let values: [Int: ProgramValue]
    }

    private var refusals: [Login: (refusal: CallRun.Refusal, end: Duration)] = [:]

    /// The maximum number of remembered logins. The oldest are removed first.
    private static var most: Int { 16 }

    /// Returns the refusal of a login that must not be repeated yet; `nil` if there is none.
    func refusal(of login: Login, at now: Duration) -> CallRun.Refusal? {
        refusals[login].flatMap { now < $0.end ? $0.refusal : nil }
    }

    /// Notes that a login was refused. A login that was not sent because of an earlier refusal does not extend the interval.
    mutating func noteFirst(_ login: Login, _ refusal: CallRun.Refusal, at now: Duration, until end: Duration) {
        if self.refusal(of: login, at: now) == nil { note(login, refusal, until: end) }
    }

    /// Notes that a login was refused.
    mutating func note(_ login: Login, _ refusal: CallRun.Refusal, until end: Duration) {
        refusals[login] = (refusal, end)
        if refusals.count > Self.most, let oldest = refusals.min(by: { $0.value.end < $1.value.end }) { refusals[oldest.key] = nil }
    }
}

/// The refused logins of all requests that each have their own credential.
final class SharedRefusedLogins: Sendable {
    let logins = Mutex(RefusedLogins())
}
