#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The format of a point in time.
public enum TimeFormat: String, Sendable, Hashable, CaseIterable {
    /// Seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case unixMilliseconds = "unix-milliseconds"
    /// `2026-11-25T09:30:00Z` (RFC 3339).
    case rfc3339
    /// `Wed, 25 Nov 2026 09:30:00 GMT` (RFC 9110, section 5.6.7).
    case http
}

extension TimeFormat {
    func text(_ date: Date) -> String {
        switch self {
        case .unix: "\(Int(date.timeIntervalSince1970.rounded(.down)))"
        case .unixMilliseconds: "\(Int((date.timeIntervalSince1970 * 1000).rounded(.down)))"
        case .rfc3339: Self.rfc3339(date)
        case .http: Self.http(date)
        }
    }

    private static func rfc3339(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt)) }

    private static func http(_ date: Date) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = rfc3339(date).split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]) else { return "" }
        // The first of January 1970 was a Thursday.
        let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        return
            "\(days[((day % 7) + 7) % 7]), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
