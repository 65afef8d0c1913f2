/// A step between the installation of an application and its first authenticated request.
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
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol OnboardingStep: AnyObject, Sendable {
    /// The name of the step in progress reports, errors and the stored state. The default is the type's name.
    var stepName: String { get }

    /// Runs the step for the first time, and stores the values for ``restore(context:)`` in the context's store.
    ///
    /// - Throws: The error of the step. The flow fails with ``OnboardingError``, which names the step.
    func onboard(context: OnboardingContext) async throws -> OnboardingContext

    /// Restores the step's result when the application starts again or a flow is resumed.
    ///
    /// - Throws: The error of the step. The flow fails with ``OnboardingError``, which names the step.
    func restore(context: OnboardingContext) async throws -> OnboardingContext

    /// Resets the step and deletes its stored values. The default implementation does nothing.
    func reset(context: OnboardingContext) async
}

extension OnboardingStep {
    public var stepName: String { "\(type(of: self))" }
    public func reset(context: OnboardingContext) async {}
}
