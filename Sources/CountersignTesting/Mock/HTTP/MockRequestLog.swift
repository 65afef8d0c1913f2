internal import Countersign
package import Foundation
internal import HTTPTypes
internal import Synchronization

/// A log of the requests to mock servers, without bodies, queries and credentials.
///
/// Servers that are started while ``current`` is set write into it.
package final class MockRequestLog: Sendable {
    /// The log of the servers that are started in the current task.
    @TaskLocal package static var current: MockRequestLog?

    /// A request and its response.
    package struct Entry: Sendable, Hashable {
        package let time: Date
        package let method, authority, path: String
        /// Whether the request had an `Authorization` field, a cookie, or a client certificate.
        package let hasProof: Bool
        package let status: Int
    }

    /// The maximum number of entries. The oldest are removed first.
    private static let maximumEntries = 1_000

    private let kept = Mutex<[Entry]>([])
    private let report: @Sendable (Entry) -> Void

    /// - Parameter report: Called for each entry.
    package init(report: @escaping @Sendable (Entry) -> Void) { self.report = report }

    /// The latest entries, oldest first.
    package var entries: [Entry] { kept.withLock(\.self) }

    func note(_ request: MockRequest, _ response: MockResponse) {
        let entry = Entry(
            time: Date(), method: request.method.rawValue, authority: request.authority, path: request.path,
            hasProof: request.fields.contains(.authorization) || request.fields.contains(.cookie) || request.certificate != nil,
            status: response.status.code)
        kept.withLock { $0 = ($0 + [entry]).suffix(Self.maximumEntries) }
        report(entry)
    }

    /// Serves a page with the entries while `body` runs.
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - body: Receives the page's URL.
    package func serve<Value>(titled title: String, _ body: (URL) async throws -> Value) async throws -> Value {
        let (server, url) = try await Self.$current.withValue(nil) {
            try await MockServer.start { port in
                (MockHosts(port: port).serviceProvider, { [self] _ in .page(page(titled: title)) })
            }
        }
        return try await MockServer.stop([server], with: MockGates()) { try await body(url) }
    }

    private func page(titled title: String) -> String {
        let rows = entries.reversed().map { entry in
            """
            <tr><td>\(entry.time.formatted(.iso8601.time(includingFractionalSeconds: false)))</td><td>\(entry.method.escapedForMarkup)</td>\
            <td>\(entry.authority.escapedForMarkup)\(entry.path.escapedForMarkup)</td><td>\(entry.hasProof ? "yes" : "no")</td>\
            <td>\(entry.status)</td></tr>
            """
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>\(title.escapedForMarkup)</title>
            <style>body { font: 1rem system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; color-scheme: light dark }
            table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884 }
            td { overflow-wrap: anywhere }</style></head>
            <body><h1>\(title.escapedForMarkup)</h1><p>\(entries.count == 1 ? "1 request" : "\(entries.count) requests, the latest first").</p>
            <table><thead><tr><th>Time (UTC)</th><th>Method</th><th>Address</th><th>Authorization, cookie or certificate</th><th>Status</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></body></html>
            """
    }
}
