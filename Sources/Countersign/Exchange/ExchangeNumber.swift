internal import Synchronization

/// The position of an exchange in the order in which exchanges begin, across all sessions.
package struct ExchangeNumber: Sendable, Hashable, Comparable {
    private let value: UInt64
    private static let count = Atomic<UInt64>(0)

    /// The number of an exchange that begins now.
    static func next() -> ExchangeNumber { ExchangeNumber(value: count.add(1, ordering: .relaxed).newValue) }
    /// The number of the exchange that began last.
    static var latest: ExchangeNumber { ExchangeNumber(value: count.load(ordering: .relaxed)) }
    /// A number greater than that of every exchange, for work that belongs to none.
    package static let none = ExchangeNumber(value: .max)

    package static func < (left: ExchangeNumber, right: ExchangeNumber) -> Bool { left.value < right.value }
}
