#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The limits of the entries in a store. The entry that was just added is the last one, and is kept.
///
/// A server that names ever new protection spaces, or sets ever larger cookies, displaces its own entries, and none of a server that
/// has less.
extension [CredentialEntry] {
    /// Drops the entries above a maximum number: the oldest of the server that has the most.
    mutating func limit(to most: Int) {
        while count > most, let latest = last {
            let counts = reduce(into: [String?: Int]()) { $0[$1.server, default: 0] += 1 }
            guard let highest = counts.values.max() else { return }
            let isOfLatest = highest > 1 && counts[latest.server] == highest
            let index = firstIndex { isOfLatest ? $0.server == latest.server : counts[$0.server] == highest }
            remove(at: index ?? 0)
        }
    }

    /// Drops the largest entry of the server whose entries have the most bytes.
    ///
    /// - Returns: `false` if none can be dropped, since the entry that was just added is the only one of that server.
    mutating func dropLargest() -> Bool {
        let sizes = map { (try? JSONEncoder().encode($0).count) ?? 0 }
        let totals = zip(self, sizes).reduce(into: [String?: Int]()) { $0[$1.0.server, default: 0] += $1.1 }
        let most = totals.values.max()
        let candidates = indices.dropLast().filter { totals[self[$0].server] == most }
        guard let index = candidates.max(by: { sizes[$0] < sizes[$1] }) else { return false }
        remove(at: index)
        return true
    }
}
