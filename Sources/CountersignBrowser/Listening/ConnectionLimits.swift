internal import NIOCore
internal import NIOHTTP1

/// What a connection to the loopback port may cost.
struct ConnectionLimits: Sendable {
    /// The most connections at a time. One more closes the one that has been silent for longest: a browser opens connections on the
    /// chance that it will need them, and none of them may keep the answer out.
    var connections = 32
    /// How long a request's head may take, from the connection's start. A browser whose idle connection is closed opens another.
    var headTime = TimeAmount.seconds(10)
    /// How long a client may take to fetch its page and close its side.
    var closingTime = TimeAmount.seconds(2)
    /// How long a browser may take, once the answer is there, to come for the page that says so.
    var pageTime = TimeAmount.seconds(3)
    /// The most bytes of a head. Cookies of 127.0.0.1 are sent to every port, so they may be many.
    var headBytes = 64 * 1024
    /// The most bytes of the request target, and of one field.
    var fieldBytes = 32 * 1024

    var decoder: NIOHTTPDecoderLimitConfiguration {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = fieldBytes
        configuration.maxHeaderListSize = headBytes
        configuration.maxHeaderFieldCount = 128
        return configuration
    }
}
