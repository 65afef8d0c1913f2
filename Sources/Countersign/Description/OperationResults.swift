#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an operation of a landscape has found out; generated code makes a struct of it.
public struct OperationResults: Sendable, Hashable {
    /// The values of ``LandscapeOperation/results``, in their order.
    public let values: [ProgramValue]

    /// Makes results.
    public init(values: [ProgramValue]) { self.values = values }
}

extension OperationResults: ReducedDescription {
    /// How many there are: any of them can be a secret.
    public var visibleParts: KeyValuePairs<String, String> { ["values": "\(values.count)"] }
}

@_spi(Generated)
extension OperationResults {
    /// Whether a result is true.
    public func flag(_ index: Int) -> Bool { value(index) != .absent }

    /// A result that is a text; `nil` if it is absent.
    public func text(_ index: Int) -> String? { value(index).text }

    /// A result that is an address; `nil` if it is absent.
    public func url(_ index: Int) -> URL? { if case .url(let url) = value(index) { url } else { nil } }

    /// A result that is a list of texts; `nil` if it is absent.
    public func texts(_ index: Int) -> [String]? { if case .texts(let texts) = value(index) { texts } else { nil } }

    /// A result that is a point in time; `nil` if it is absent.
    public func date(_ index: Int) -> Date? { if case .date(let date) = value(index) { date } else { nil } }

    /// A result that is a length of time; `nil` if it is absent.
    public func duration(_ index: Int) -> Duration? { if case .duration(let duration) = value(index) { duration } else { nil } }

    /// A result that is always there: the spec proves that each way through the steps fills it.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/answerRefused`` if it is absent all the same, such as a number of seconds
    ///   that is zero.
    public func required<Value>(_ value: Value?) throws(CountersignError) -> Value {
        guard let value else { throw CountersignError(.answerRefused, detail: "the server's answer lacks a result") }
        return value
    }

    private func value(_ index: Int) -> ProgramValue { values.indices.contains(index) ? values[index] : .absent }
}
