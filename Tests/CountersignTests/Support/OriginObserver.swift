import HTTPTypes
import Synchronization

@testable import Countersign

/// An observer with a key or an identity for each of some origins, which it attaches by the exchange's origin, as real observers
/// do.
final class OriginObserver: SessionObserver {
    let name = "OriginObserver"
    private let field: HTTPField.Name
    private let keys: [String: String]
    private let identities: [String: ConnectionIdentity]
    private let log = Mutex<[String]>([])

    init(_ field: HTTPField.Name, keys: [String: String] = [:], identities: [String: ConnectionIdentity] = [:]) {
        self.field = field
        self.keys = keys
        self.identities = identities
    }

    /// The origins of the calls, in order.
    var asked: [String] { log.withLock { $0 } }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        let origin = "\(exchange.origin)"
        log.withLock { $0.append(origin) }
        guard !exchange.request.headerFields.contains(field) else { return .nothing }
        if let identity = identities[origin] { return .connection(identity, .none) }
        guard let key = keys[origin] else { return .nothing }
        request.headerFields.append(HTTPField(name: field, value: key))
        return .ready(.none)
    }
}
