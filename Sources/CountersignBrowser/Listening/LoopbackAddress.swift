/// A loopback address.
struct LoopbackAddress: Sendable, Hashable {
    /// The address as text: `127.0.0.1` or `::1`.
    let literal: String

    static let ipv4 = LoopbackAddress(literal: "127.0.0.1")
    static let ipv6 = LoopbackAddress(literal: "::1")

    /// Returns the authority of a URL: the address, in brackets for IPv6, and the port.
    func authority(port: Int) -> String { literal.contains(":") ? "[\(literal)]:\(port)" : "\(literal):\(port)" }
}
