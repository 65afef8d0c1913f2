import ArgumentParser
import Countersign
import HTTPTypes

/// The HTTP method of the request with which a command signs in.
struct RequestMethodOption: ParsableArguments {
    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp(
            "The HTTP method of the request, for a credential that GET requests do not carry. The server acts on the request.",
            valueName: "method"))
    var requestMethod = "GET"

    /// The method.
    ///
    /// - Throws: ``CommandProblem``.
    var method: HTTPRequest.Method { get throws { try .named(requestMethod) } }
}

extension HTTPRequest.Method {
    /// Returns the method with a name, which is case-sensitive.
    ///
    /// - Throws: ``CommandProblem`` for a name that is no token (RFC 9110, section 9.1).
    static func named(_ name: String) throws(CommandProblem) -> HTTPRequest.Method {
        guard let method = HTTPRequest.Method(name) else {
            throw CommandProblem("'\(VisibleText.escaped(name))' is not a valid HTTP method.", exit: CommandExit.usage)
        }
        return method
    }
}
