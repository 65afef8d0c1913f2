#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A page that takes the place of another where it can be opened.
public struct AlternativePage<Values: Sendable>: Sendable {
    /// The page; `nil` where the values have none.
    public let url: Template<Values, URL?>
    /// Whether it can be opened in an embedded web view alone; see ``WebPresenter/isEmbeddedWebView``.
    public let isOnlyEmbedded: Bool
    /// What is put into the page's query in place of the step's; a name that is there already is replaced. `nil` for what the step says.
    ///
    /// A page with a query of its own is opened as it is: no presenter can move the redirect that it ends at.
    public let query: [NamedTemplate<Values>]?
    /// Takes out of the values what the page's server has no use for.
    public let adjust: @Sendable (inout Values) -> Void

    /// Makes a page.
    public init(
        _ url: Template<Values, URL?>, isOnlyEmbedded: Bool = false, query: [NamedTemplate<Values>]? = nil,
        adjust: @escaping @Sendable (inout Values) -> Void = { _ in }
    ) {
        self.url = url
        self.isOnlyEmbedded = isOnlyEmbedded
        self.query = query
        self.adjust = adjust
    }
}
