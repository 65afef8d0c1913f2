#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Logging

/// The description of a landscape as data, used by the mock landscape, `explain` and the demo.
///
/// Each landscape module adds one constant, such as `Landscape.cityLibrary`.
public struct Landscape: Sendable {
    /// The name in `landscape.yaml`, which is also the module's name.
    public let name: String
    /// A one-sentence summary.
    public let summary: String
    /// The prefix of the logger labels.
    public let loggingPrefix: String
    /// Returns the methods, with their parameters filled in for a server at `base`.
    public let methods: @Sendable (_ base: URL) -> [MethodDescription]
    /// Returns the operations outside of any challenge, in all versions, filled in for a server at `base`.
    public let operations: @Sendable (_ base: URL) -> [LandscapeOperation]

    /// A logger with the landscape's prefix, for `SessionConfiguration.logger`. A session logs only where its configuration says.
    public var logger: Logger { Logger(label: loggingPrefix) }

    /// Creates a landscape.
    public init(
        name: String, summary: String, loggingPrefix: String,
        operations: @escaping @Sendable (_ base: URL) -> [LandscapeOperation] = { _ in [] },
        methods: @escaping @Sendable (_ base: URL) -> [MethodDescription]
    ) {
        self.name = name
        self.summary = summary
        self.loggingPrefix = loggingPrefix
        self.operations = operations
        self.methods = methods
    }
}
