import Countersign
import CountersignAsyncHTTPClient
import HTTPTypes
import Synchronization
import Testing

/// The machine's clock, which a test can set forward.
final class ForwardClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let clock = ContinuousClock()
    private let shift = Mutex(Duration.zero)

    var now: Instant { clock.now.advanced(by: shift.withLock { $0 }) }
    var minimumResolution: Duration { clock.minimumResolution }

    func advance(by duration: Duration) { shift.withLock { $0 += duration } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline.advanced(by: .zero - shift.withLock { $0 }), tolerance: tolerance)
    }
}

/// Runs a function with a session that can have 100 connections to a server, and then ends the session.
///
/// - Parameters:
///   - presenter: The presenter of login pages.
///   - cookies: The cookie jar of the session.
///   - clock: The clock of the session.
func withSession(
    presenter: (any WebPresenter)? = nil, cookies: CookieJar = CookieJar(), clock: any Clock<Duration> = ContinuousClock(),
    _ body: (Session) async throws -> Void
) async {
    var configuration = SessionConfiguration()
    configuration.presenter = presenter
    configuration.clock = clock
    // A slow machine needs long for a hundred requests at once.
    configuration.requestTimeout = .seconds(300)
    configuration.flightTimeout = .seconds(300)
    var transport = AsyncHTTPClientTransport.Configuration()
    transport.maximumConnectionsPerHost = 100
    let session = Session(
        configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport), cookies: cookies)
    do {
        try await body(session)
    } catch {
        Issue.record(error)
    }
    await session.invalidate(cancelling: true)
}

/// Returns the status code of a response, after its body has been read.
func status(_ request: SessionRequest, _ session: Session) async throws -> Int {
    let response = try await session.send(request)
    _ = try await response.body.collect(upTo: 4096)
    return response.head.status.code
}

/// Returns the code of a function's error; `nil` if it succeeds, or fails with an error of another type.
func code<Result>(_ body: () async throws -> Result) async -> CountersignError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? CountersignError)?.code
    }
}
