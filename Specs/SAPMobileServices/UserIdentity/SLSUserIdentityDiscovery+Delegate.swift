@_spi(Generated) internal import Countersign
public import CountersignSAP
public import Foundation
internal import Synchronization

extension SLSUserIdentityDiscovery {
    /// Makes a discovery whose delegate asks the user.
    ///
    /// - Parameters:
    ///   - slsConfigurationParameters: The addresses of the profile.
    ///   - userInputDelegate: Asks the user; it is not kept alive.
    ///   - sapURLSession: Sends the requests; it is kept.
    public convenience init(
        slsConfigurationParameters: SLSConfigurationParameters, userInputDelegate: any SLSLoginInputDelegate,
        sapURLSession: SAPURLSession = SAPURLSession()
    ) {
        let source = DelegateInput(userInputDelegate)
        self.init(slsConfigurationParameters: slsConfigurationParameters, sapURLSession: sapURLSession, input: source)
        source.belong(to: self)
    }
}

extension SLSConfigurationParameters {
    /// The addresses of a profile at a server, with the paths of Secure Login Server 3.0.
    ///
    /// - Parameters:
    ///   - slsServerURL: The server, such as `https://sls.example.com`, with or without a slash at its end.
    ///   - profile: The profile's identifier in the server's administration console.
    ///   - subjectName: The subject that the certificate should have; empty leaves it to the server.
    ///   - subjectAltNamesRfc822: The e-mail addresses that it should have, with commas between them.
    ///   - subjectAltNamesDNS: The names of hosts that it should have, with commas between them.
    /// - Returns: `nil` if the address is not that of a server, or there is no profile.
    public init?(
        slsServerURL: URL, profile: String, subjectName: String = "", subjectAltNamesRfc822: String = "",
        subjectAltNamesDNS: String = ""
    ) {
        guard !profile.isEmpty, Origin(slsServerURL) != nil else { return nil }
        func address(_ path: String) -> URL {
            URL.countersign(
                base: slsServerURL, path: [.text("/SecureLoginServer/\(path)")],
                query: [(name: "profile", value: [.value(profile)])])
        }
        self.init(
            loginURL: address("slc3/doLogin"), certificateURL: address("slc2/getCertificate"), subjectName: subjectName,
            subjectAltNamesRfc822: subjectAltNamesRfc822, subjectAltNamesDNS: subjectAltNamesDNS)
    }

    /// The same with the label that the SDK's sample has.
    ///
    /// - Parameters:
    ///   - baseURL: The server.
    ///   - profile: The profile's identifier.
    public init?(baseURL: URL, profile: String) { self.init(slsServerURL: baseURL, profile: profile) }
}

/// Hands the server's questions to a delegate.
private final class DelegateInput: LoginInputSource {
    private struct References {
        weak var delegate: (any SLSLoginInputDelegate)?
        weak var discovery: SLSUserIdentityDiscovery?
    }

    private let references: Mutex<References>

    init(_ delegate: any SLSLoginInputDelegate) {
        references = Mutex(References(delegate: delegate, discovery: nil))
    }

    func belong(to discovery: SLSUserIdentityDiscovery) { references.withLock { $0.discovery = discovery } }

    private var current: (delegate: any SLSLoginInputDelegate, discovery: SLSUserIdentityDiscovery)? {
        references.withLock { references in
            guard let delegate = references.delegate, let discovery = references.discovery else { return nil }
            return (delegate, discovery)
        }
    }

    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]? {
        guard let (delegate, discovery) = current else {
            throw CountersignError(.credentialMissing, detail: "the delegate that would ask the user is gone")
        }
        return try await GeneratedCodeVersion3.answer { complete in
            delegate.slsUserIdentityDiscovery(discovery, needsInputForLogin: input) { values, error in
                complete(error.map { .failure($0) } ?? .success(values))
            }
        }
    }

    func finished() async {
        guard let (delegate, discovery) = current else { return }
        delegate.slsUserIdentityDiscoveryDidFinishReceivingInput(discovery)
    }
}
