#if os(macOS) || os(Linux)
public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why a ``ChromiumPresenter`` has no result.
///
/// It names programs, folders, origins and the browser's error names, and at most the origin of a URL.
public enum ChromiumError: PageFailure, SecretFreeError, Hashable {
    /// No browser was found. `tried` has the names and paths that were searched.
    case notFound(tried: [String])
    /// A window was requested, and there is no display.
    case noDisplay
    /// The folder for the browser's profile could not be created, for example because the disk is full.
    case cannotMakeProfile(folder: String, reason: String)
    /// The program could not be started.
    case cannotStart(program: String, reason: String)
    /// The browser exited before it had opened a page. The status is negative if a signal ended it.
    case endedAtStart(program: String, status: Int)
    /// The browser opened no page within the time limit.
    case silentAtStart(program: String, after: Duration)
    /// The browser refused a command. The associated value is its name in the DevTools protocol.
    case commandRefused(String)
    /// The browser sent a message that exceeds the limit in bytes.
    case messageTooLong(limit: Int)
    /// The page could not be loaded. The associated value is Chromium's error name, such as `net::ERR_CONNECTION_REFUSED`.
    case network(String, origin: Origin?)
    /// The server answered with this status and without a login form.
    case answered(status: Int, origin: Origin?)
    /// The server answered with a download.
    case notAPage(origin: Origin?)
    /// A server redirected to a URL with this scheme, which is neither `http` nor `https` and does not end the login.
    case redirectedToScheme(String, origin: Origin?)
    /// The page's process crashed.
    case pageCrashed(origin: Origin?)
    /// The browser crashed or was killed. The status is negative if a signal ended it.
    case browserEnded(status: Int)
    /// The login exceeded the time limit.
    case timedOut(Duration, origin: Origin?)
}

extension ChromiumError {
    public var description: String {
        switch self {
        case .notFound(let names):
            """
            there is no Chromium, Chrome or Edge here: \(names.joined(separator: ", ")) not found; install one, such as the package \
            chromium, or name its program in ChromiumConfiguration.executable
            """
        case .noDisplay:
            """
            there is no display for a browser window: neither DISPLAY nor WAYLAND_DISPLAY is set; run the program in a desktop \
            session, or set ChromiumConfiguration.isHeadless for a login that needs no user
            """
        case .cannotMakeProfile(let folder, let reason):
            """
            cannot make a folder for the browser's profile in \(folder): \(reason); free some space there, or set TMPDIR to a folder \
            that can be written to
            """
        case .cannotStart(let program, let reason): "cannot run \(program): \(reason)"
        case .endedAtStart(let program, let status):
            """
            \(program) \(Self.ending(status)) before it had opened a page; run it in a terminal to see why: the display may not be \
            reachable, the disk may be full, or the browser may not be complete
            """
        case .silentAtStart(let program, let time):
            "\(program) has not opened a page within \(time); check that it starts by hand, and that the machine is not overloaded"
        case .commandRefused(let method): "the browser refused \(method); it may be too old for this, or be restricted by a policy"
        case .messageTooLong(let limit): "the browser sent a message of more than \(limit) bytes"
        case .network(let name, let origin):
            "the page\(Self.place(origin)) could not be loaded: \(name)\(Self.advice(on: name))"
        case .answered(let status, let origin): "\(origin?.description ?? "the server") answered with status \(status)"
        case .notAPage(let origin): "\(origin?.description ?? "the server") answered with a file to download instead of a page"
        case .redirectedToScheme(let scheme, let origin):
            """
            \(origin?.description ?? "the server") redirected to an address with \(scheme):, which does not end the login; check \
            the redirect URL that is registered with the server
            """
        case .pageCrashed(let origin): "the page\(Self.place(origin)) crashed in the browser"
        case .browserEnded(let status): "the browser \(Self.ending(status)) before the login had ended"
        case .timedOut(let timeout, let origin):
            "the login had not ended within \(timeout)\(origin.map { "; the browser was last at \($0)" } ?? "")"
        }
    }

    private static func place(_ origin: Origin?) -> String { origin.map { " of \($0)" } ?? "" }

    private static func ending(_ status: Int) -> String {
        status < 0 ? "was ended by signal \(-status)" : "ended with status \(status)"
    }

    private static func advice(on name: String) -> String {
        switch name {
        case _ where name.hasPrefix("net::ERR_CERT_"):
            """
            ; the server's certificate is not trusted by the browser. It has its own list: on Linux the system's certificate authorities \
            count only if they are in ~/.pki/nssdb
            """
        case "net::ERR_NAME_NOT_RESOLVED": "; check the host's name, and the network"
        case "net::ERR_CONNECTION_REFUSED": "; no server listens there"
        case "net::ERR_INTERNET_DISCONNECTED": "; this machine has no network"
        default: ""
        }
    }
}

extension ChromiumError {
    /// The error status of the server.
    public var status: Int? {
        guard case .answered(let status, _) = self else { return nil }
        return status
    }

    /// The origin of the page.
    public var origin: Origin? {
        switch self {
        case .network(_, let origin), .answered(_, let origin), .notAPage(let origin), .redirectedToScheme(_, let origin),
            .pageCrashed(let origin), .timedOut(_, let origin):
            origin
        case .notFound, .noDisplay, .cannotMakeProfile, .cannotStart, .endedAtStart, .silentAtStart, .commandRefused,
            .messageTooLong, .browserEnded:
            nil
        }
    }

    /// The description; `nil` for a status, which is reported separately.
    public var explanation: String? { status == nil ? description : nil }
}

extension ChromiumError: LocalizedError {
    public var errorDescription: String? { description }
}
#endif
