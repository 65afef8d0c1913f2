#if canImport(Security)
internal import Countersign
internal import CountersignIdentity
internal import Foundation
internal import Security
internal import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Verifies the servers of a session's connections, and presents its certificate.
///
/// A pin is compared with the server's own certificate, after the system has verified its chain. `URLSession` asks for this only when
/// it opens a connection, so all requests of a session have the same pins. A response of a server that was never checked is refused:
/// the system may resume a TLS session, or use a connection with another host, without asking.
///
/// Unchecked, because certificates and credentials are immutable.
final class ServerTrust: @unchecked Sendable {
    /// The answer to a challenge.
    struct Answer {
        let disposition: URLSession.AuthChallengeDisposition
        var credential: URLCredential?
        /// The error of the exchange if the server is refused here, and not by the system.
        var failure: TransportError?
    }

    /// The certificate to present; `nil` for none.
    let clientCredential: URLCredential?
    private let pins: ServerPins?
    private let additionalTrustRoots: [SecCertificate]
    /// The servers whose keys were compared with the pins.
    private let checked = Mutex<Set<Server>>([])

    private struct Server: Hashable {
        let host: String
        let port: Int

        init(host: String, port: Int) {
            // An IPv6 address is in brackets in some places only.
            self.host = host.lowercased().filter { $0 != "[" && $0 != "]" }
            self.port = port
        }
    }

    /// - Parameter additionalTrustRoots: Certificates in DER.
    /// - Throws: `TransportError` for an identity or a certificate that cannot be read.
    init(pins: ServerPins?, identity: ConnectionIdentity?, additionalTrustRoots: [[UInt8]]) throws {
        self.pins = pins
        clientCredential = try identity.map { try URLCredential.presenting($0) }
        self.additionalTrustRoots = try additionalTrustRoots.map { bytes in
            guard let certificate = SecCertificateCreateWithData(nil, Data(bytes) as CFData) else {
                throw TransportError(
                    .tls, detail: "an additional trust root is not a certificate in DER", requestMayHaveBeenProcessed: false)
            }
            return certificate
        }
    }

    /// Verifies a server. Called before a request is sent over its connection.
    func answer(to challenge: URLAuthenticationChallenge) -> Answer {
        let space = challenge.protectionSpace
        guard pins != nil || !additionalTrustRoots.isEmpty, let trust = space.serverTrust else {
            return Answer(disposition: .performDefaultHandling)
        }
        if !additionalTrustRoots.isEmpty {
            // The system's authorities remain trusted.
            guard SecTrustSetAnchorCertificates(trust, additionalTrustRoots as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess
            else { return Answer(disposition: .cancelAuthenticationChallenge, failure: Self.unusableRoots) }
        }
        // The default handling fails, too, with the reason.
        guard SecTrustEvaluateWithError(trust, nil) else { return Answer(disposition: .performDefaultHandling) }
        if let pins {
            guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let certificate = chain.first,
                let pin = try? PublicKeyPin(certificate: SecCertificateCopyData(certificate) as Data), pins.contains(pin)
            else { return Answer(disposition: .cancelAuthenticationChallenge, failure: Self.mismatch) }
            let server = Server(host: space.host, port: space.port)
            checked.withLock { _ = $0.insert(server) }
        }
        return Answer(disposition: .useCredential, credential: URLCredential(trust: trust))
    }

    /// Whether the server of a task was checked, or needs no check.
    func hasChecked(_ task: URLSessionTask) -> Bool {
        guard pins != nil else { return true }
        guard let url = task.originalRequest?.url, let host = url.host() else { return false }
        let server = Server(host: host, port: url.port ?? 443)
        return checked.withLock { $0.contains(server) }
    }

    private static let unusableRoots = TransportError(
        .tls, detail: "the system cannot use the additional trust roots", requestMayHaveBeenProcessed: false)

    private static let mismatch = TransportError(
        .pinMismatch, detail: "the server's certificate has none of the pinned keys", requestMayHaveBeenProcessed: false)

    static let unchecked = TransportError(
        .pinMismatch, detail: "the system used a connection whose key could not be compared with the pins",
        requestMayHaveBeenProcessed: true)
}
#endif
