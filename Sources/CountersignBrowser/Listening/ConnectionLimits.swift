internal import NIOCore
internal import NIOHTTP1

/// The limits of connections to the loopback port.
struct ConnectionLimits: Sendable {
    /// The maximum number of connections. A further one replaces the oldest without a request: browsers open connections
    /// speculatively, and these must not keep out the one with the response.
    var connections = 32
    /// The time limit for a request's head, from the start of the connection. A browser reopens an idle connection that was
    /// closed.
    var headTime = TimeAmount.seconds(10)
    /// The time limit for a client to receive its page and close its side.
    var closingTime = TimeAmount.seconds(2)
    /// The time limit for a browser to request the confirmation page after the response.
    var pageTime = TimeAmount.seconds(3)
    /// The maximum size of a head in bytes. Browsers send the cookies of 127.0.0.1 to every port, so there may be many.
    var headBytes = 64 * 1024
    /// The maximum size in bytes of the request target, and of one field.
    var fieldBytes = 32 * 1024

    var decoder: NIOHTTPDecoderLimitConfiguration {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = fieldBytes
        configuration.maxHeaderListSize = headBytes
        configuration.maxHeaderFieldCount = 128
        return configuration
    }
}
