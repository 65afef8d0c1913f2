/// The texts that become documentation.
package struct Documentation: Sendable, Hashable {
    package var summary: String
    package var discussion: String?
    package init(summary: String, discussion: String? = nil) {
        self.summary = summary
        self.discussion = discussion
    }
}
