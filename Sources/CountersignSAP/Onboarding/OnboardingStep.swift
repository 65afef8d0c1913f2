/// One step on the way from an installed application to its first authenticated request.
///
/// ```swift
/// final class TermsStep: OnboardingStep {
///     func onboard(context: OnboardingContext) async throws -> OnboardingContext {
///         try context.credentialStore.put(true, for: "terms accepted")
///         return context
///     }
///     func restore(context: OnboardingContext) async throws -> OnboardingContext { context }
/// }
/// ```
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OnboardingStep: AnyObject, Sendable {
    /// Names the step in progress, errors and what is stored of a flow; it is the type's name if nothing else is said.
    var stepName: String { get }

    /// Does the step for the first time, and keeps what ``restore(context:)`` needs in the context's store.
    func onboard(context: OnboardingContext) async throws -> OnboardingContext

    /// Brings back what the step had done, when the application starts again or when a flow is resumed behind it.
    func restore(context: OnboardingContext) async throws -> OnboardingContext

    /// Takes back what the step has done and kept. The default does nothing.
    func reset(context: OnboardingContext) async
}

extension OnboardingStep {
    public var stepName: String { "\(type(of: self))" }
    public func reset(context: OnboardingContext) async {}
}
