#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Logging

/// A landscape as data: what a generated module knows of its servers, for the mock landscape, `explain` and the demo.
///
/// Each landscape module adds one constant, such as `Landscape.cityLibrary`.
public struct Landscape: Sendable {
    /// The name in `landscape.yaml`, also the module's.
    public let name: String
    /// One sentence.
    public let summary: String
    /// The prefix of the logger labels.
    public let loggingPrefix: String
    /// The methods, with their parameters filled in for a server at `base`.
    public let methods: @Sendable (_ base: URL) -> [MethodDescription]
    /// The calls outside of any challenge, in all versions, filled in for a server at `base`.
    public let operations: @Sendable (_ base: URL) -> [LandscapeOperation]

    /// A logger under the landscape's prefix, for `SessionConfiguration.logger`: a session logs where its application says, and nowhere
    /// by itself.
    public var logger: Logger { Logger(label: loggingPrefix) }

    /// Makes a landscape.
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
