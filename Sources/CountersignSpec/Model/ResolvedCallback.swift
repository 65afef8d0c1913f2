/// A URL by which another application moves a waiting page on.
public struct ResolvedCallback: Sendable {
    public var schemeEnding: String
    public var host: String
    public var path: String
    /// The application that it has to come from.
    public var application: String
    /// The name in the query under which that application identifies itself.
    public var source: String?
    /// The names in the callback and those in the page's query.
    public var query: [(name: Located<String>, pageName: String)]
}
