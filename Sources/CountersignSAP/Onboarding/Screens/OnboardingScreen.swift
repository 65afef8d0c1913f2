/// A screen of the onboarding, before its customization handler knows which.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OnboardingScreen: AnyObject, Sendable {}
