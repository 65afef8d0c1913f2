/// How long the parameters of a grant that is good for one use can be used.
///
/// They may be older than the authenticator that is made of them: a passcode's time began when it was scanned. Who knows says so while
/// the authenticator is made, and the grant does not begin a time of its own.
package struct HandoverLife: Sendable {
    /// What is left of the life of the parameters that authenticators are made of here, asked when they are used; `nil` if they are new.
    @TaskLocal package static var remaining: (@Sendable () -> Duration)?

    /// How to call it in an error.
    let text: String
    private let left: (@Sendable () -> Duration)?

    /// - Parameters:
    ///   - life: How long new parameters can be used; `nil` for as long as there is.
    ///   - timeline: Measures that.
    init(_ life: Duration?, since timeline: Timeline) {
        text = if Self.remaining == nil, let life { "\(life)" } else { "a short time" }
        left = Self.remaining ?? life.map { Self.countdown(of: $0, on: timeline) }
    }

    /// Whether it is too late.
    var isOver: Bool { left.map { $0() <= .zero } ?? false }

    private static func countdown(of life: Duration, on timeline: Timeline) -> @Sendable () -> Duration {
        { life - timeline.elapsed() }
    }
}
