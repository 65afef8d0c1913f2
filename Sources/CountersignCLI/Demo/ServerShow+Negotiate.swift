@_spi(Generated) import Countersign
import CountersignDynamic
import CountersignTesting
import Foundation
import HTTPTypes

extension ServerShow {
    /// A server that asks for a ticket.
    static let negotiate = ServerShow(
        row: "HTTP Negotiate", remark: "a mechanism of the mock's own stands in for Kerberos, which needs a realm"
    ) { body in
        try await MockNegotiate.run { mock in
            let method = try ShippedLandscapes.landscape(named: "HTTPAuthentication").method(named: "HTTPNegotiate")
            let filled = try method.filled(
                try method.variant(named: nil), with: GivenValues(parameters: ["servers": [mock.url.absoluteString]]),
                tools: ProgramTools(contexts: mock.contexts))
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "data"), observer: ManagedObserver(filled, prompter: nil, store: nil),
                    challengeField: .wwwAuthenticate, counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: { mock.resetStatistics() },
                    end: { try await $0.logOut() },
                    hold: { mock.hold(until: $0) }))
        }
    }
}
