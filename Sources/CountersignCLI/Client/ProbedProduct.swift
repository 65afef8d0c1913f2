import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes

/// The landscape of a product, which extends another one, as far as a response is about it.
///
/// It inherits challenges. They are reported for the extended landscape alone, since they do not tell the product.
struct ProbedProduct: Encodable {
    let landscape: String
    /// The name of the landscape that it extends.
    let base: String
    /// Whether the URL or the response has a server of the product.
    let isNamed: Bool
    /// The challenges that only this landscape recognises. With a server of the product, also those that are uncertain.
    let matches: [ProbeReport.Match]
    /// The name of a method.
    private let method: String?

    private enum CodingKeys: CodingKey { case landscape, base, isNamed }

    /// - Parameter others: The matching challenges of landscapes that extend none.
    init(
        _ landscape: DynamicLandscape, extending base: String, answer: ProbeAnswer, from url: URL,
        beside others: [ProbeReport.Match]
    ) {
        self.landscape = landscape.name
        self.base = base
        let hosts = Self.hosts(of: landscape)
        let isNamed = Self.hosts(in: answer, from: url).contains { host in hosts.contains { Self.isHost(host, of: $0) } }
        // A challenge of its own requires more of the response than an inherited one.
        let usual = others.filter(\.isCertain).map(\.weight).max() ?? 0
        let found = ProbeReport.Match.all(of: landscape, answer: answer, from: url)
        matches = found.filter { $0.isCertain ? $0.weight > usual : isNamed }
        self.isNamed = isNamed
        method = landscape.methods.first { $0.kind != .enrolment }?.name
    }

    /// Returns the hosts of the URLs that are defaults or examples of a landscape's parameters.
    private static func hosts(of landscape: DynamicLandscape) -> Set<String> {
        let fields = landscape.methods.flatMap(\.variants).flatMap(\.fields).filter { [.url, .origins].contains($0.type) }
        return Set(fields.flatMap { [$0.defaultText?.value, $0.example?.value] }.compactMap { $0.flatMap(host(of:)) })
    }

    /// Returns the hosts in a response: those of URLs in its challenges and of a redirect, and that of its own URL.
    private static func hosts(in answer: ProbeAnswer, from url: URL) -> Set<String> {
        let offers = AuthenticationChallenge.Field.allCases.flatMap { answer.offers(in: $0) }
        let others = [answer.head.headerFields[.location], url.absoluteString].compactMap(\.self)
        return Set((offers.flatMap { Array($0.parameters.values) } + others).compactMap(host(of:)))
    }

    private static func host(of text: String) -> String? {
        guard text.contains("://"), let host = URL(string: text)?.host(percentEncoded: false)?.lowercased() else { return nil }
        return host
    }

    /// Whether a host is one of a product, of whose hosts one is known. In the host of a tenant, such as `example.eu.product.com`, only
    /// the last two labels are those of the product.
    private static func isHost(_ host: String, of known: String) -> Bool {
        let labels = known.split(separator: ".")
        // Names for documentation (RFC 2606) and this machine are no servers of a product.
        guard labels.count > 1, !labels.suffix(2).contains("example"), known != "127.0.0.1" else { return false }
        let domain = labels.first == "example" ? labels.suffix(2).joined(separator: ".") : known
        return host == domain || host.hasSuffix(".\(domain)")
    }

    /// Returns the sentences about products.
    static func lines(about products: [ProbedProduct]) -> [String] {
        let named = products.filter(\.isNamed)
        guard named.isEmpty else {
            return named.map { product in
                let explanation = product.method.map { ": countersign explain --landscape \(product.landscape) \($0)" } ?? "."
                return "A server of \(product.landscape) is named. That landscape extends \(product.base)\(explanation)"
            }
        }
        let groups = Dictionary(grouping: products.filter(\.matches.isEmpty), by: \.base)
        return groups.sorted { $0.key < $1.key }.map { base, products in
            "If the login is that of one of these products, use its landscape, which extends \(base): "
                + products.map(\.landscape).joined(separator: ", ") + "."
        }
    }
}
