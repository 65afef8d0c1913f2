/// What the system says about a URL that it opens an application with.
public struct OpenURLOptions: Sendable, Hashable {
    /// The identifier of the application that the URL comes from; `nil` where the system does not say. iOS says it only of applications
    /// of the same team.
    public var sourceApplication: String?

    /// Makes options.
    public init(sourceApplication: String? = nil) {
        self.sourceApplication = sourceApplication
    }
}
