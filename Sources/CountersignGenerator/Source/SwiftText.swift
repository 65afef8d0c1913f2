/// Text that may stand in Swift source as it is.
///
/// Plans hold nothing else, and each conforming type is made by functions that escape: text of a spec cannot reach a template unescaped.
package protocol SwiftText: Sendable {
    /// The text as it stands in the source.
    var source: String { get }
}
