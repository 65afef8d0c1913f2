/// The information that the system provides with a URL that it opens an application with.
public struct OpenURLOptions: Sendable, Hashable {
    /// The bundle identifier of the application that opened the URL; `nil` if the system does not provide it. iOS provides it only
    /// for applications of the same team.
    public var sourceApplication: String?

    /// Creates options.
    public init(sourceApplication: String? = nil) {
        self.sourceApplication = sourceApplication
    }
}
