/// A screen of the onboarding, before its customization handler knows which.
public protocol OnboardingScreen: AnyObject, Sendable {}
