/// The texts that become documentation.
public struct Documentation: Sendable, Hashable {
    public var summary: String
    public var discussion: String?
    public init(summary: String, discussion: String? = nil) {
        self.summary = summary
        self.discussion = discussion
    }
}
