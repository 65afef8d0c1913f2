#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The results of a landscape's operation. Generated code converts them to a struct.
public struct OperationResults: Sendable, Hashable {
    /// The values of ``LandscapeOperation/results``, in their order.
    public let values: [ProgramValue]

    /// Creates results.
    public init(values: [ProgramValue]) { self.values = values }
}

extension OperationResults: ReducedDescription {
    /// The number of results. Values are not shown, since any of them can be a secret.
    public var visibleParts: KeyValuePairs<String, String> { ["values": "\(values.count)"] }
}

@_spi(Generated)
extension OperationResults {
    /// Returns whether a result is true.
    public func flag(_ index: Int) -> Bool { value(index) != .absent }

    /// Returns a text; `nil` if it is absent.
    public func text(_ index: Int) -> String? { value(index).text }

    /// Returns a URL; `nil` if it is absent.
    public func url(_ index: Int) -> URL? { if case .url(let url) = value(index) { url } else { nil } }

    /// Returns a list of texts; `nil` if it is absent.
    public func texts(_ index: Int) -> [String]? { if case .texts(let texts) = value(index) { texts } else { nil } }

    /// Returns a date; `nil` if it is absent.
    public func date(_ index: Int) -> Date? { if case .date(let date) = value(index) { date } else { nil } }

    /// Returns a duration; `nil` if it is absent.
    public func duration(_ index: Int) -> Duration? { if case .duration(let duration) = value(index) { duration } else { nil } }

    /// Returns a result that is always present, because the spec's steps fill it in every case.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/answerRefused`` if it is absent nevertheless, such as a number
    ///   of seconds that is zero.
    public func required<Value>(_ value: Value?) throws(CountersignError) -> Value {
        guard let value else { throw CountersignError(.answerRefused, detail: "the server's response lacks a result") }
        return value
    }

    private func value(_ index: Int) -> ProgramValue { values.indices.contains(index) ? values[index] : .absent }
}
