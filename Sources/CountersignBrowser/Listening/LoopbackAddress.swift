/// An address that leads back to this machine.
struct LoopbackAddress: Sendable, Hashable {
    /// As sockets have it: `127.0.0.1`, `::1`.
    let literal: String

    static let ipv4 = LoopbackAddress(literal: "127.0.0.1")
    static let ipv6 = LoopbackAddress(literal: "::1")

    /// As it stands in a URL, with the port.
    func authority(port: Int) -> String { literal.contains(":") ? "[\(literal)]:\(port)" : "\(literal):\(port)" }
}
