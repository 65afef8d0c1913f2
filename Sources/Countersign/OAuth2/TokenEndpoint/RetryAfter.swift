#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The `Retry-After` field: seconds, or a date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The maximum pause of renewals, 5 minutes, so that one faulty response does not stop them for a day.
    static let maximumPause: Duration = .seconds(5 * 60)

    /// The maximum time that a field can state, 366 days. A longer one is shortened, so that it can be added to any time.
    private static let maximum: Duration = .seconds(366 * 24 * 3600)

    /// Returns the time from the arrival of a response on, from zero to 366 days; `nil` if the field is missing or unreadable.
    ///
    /// A date counts from the response's own `Date`, if it has one, so that the clocks need not agree.
    static func duration(in fields: HTTPFields, arrival: Date) -> Duration? {
        guard let text = fields[.retryAfter]?.trimmingSpaces, !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { min(.seconds($0), maximum) } ?? maximum
        }
        guard let date = CookieDate.date(from: text[...]) else { return nil }
        let origin = fields[.date].flatMap { CookieDate.date(from: $0[...]) } ?? arrival
        let seconds = date.timeIntervalSince(origin)
        return seconds > 0 ? min(.seconds(seconds), maximum) : .zero
    }
}

extension String {
    /// The text without spaces and tabs around it.
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
