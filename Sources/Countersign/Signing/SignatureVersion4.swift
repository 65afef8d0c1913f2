// AWS Signature Version 4, by Amazon's description "AWS Signature Version 4 for API requests": the configuration in a spec, and
// an access key.

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The configuration of AWS Signature Version 4.
public struct SignatureVersion4: Sendable, Hashable {
    /// The access key identifier.
    public let identifier: ProgramTemplate
    /// The secret access key.
    public let key: ProgramTemplate
    /// The session token of temporary keys; `nil` for none.
    public let session: ProgramTemplate?
    /// The region and the service of the requests, such as `eu-central-1` and `s3`.
    public let region, service: ProgramTemplate
    /// The slot of the server's clock offset; `nil` if there is none.
    public let clock: Int?
    /// The lifetime of a signature in the query; `nil` for a signature in header fields.
    public let lifetimeInQuery: Duration?

    /// Creates the configuration.
    public init(
        id identifier: ProgramTemplate, key: ProgramTemplate, session: ProgramTemplate? = nil, region: ProgramTemplate,
        service: ProgramTemplate, clock: Int? = nil, lifetimeInQuery: Duration? = nil
    ) {
        self.lifetimeInQuery = lifetimeInQuery
        self.identifier = identifier
        self.key = key
        self.session = session
        self.region = region
        self.service = service
        self.clock = clock
    }

    /// Returns the signer with values filled in; `nil` if a required value is absent.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that are invalid in a header field.
    func signer(_ values: [ProgramValue]) throws(CountersignError) -> SignatureVersion4Signer? {
        guard let identifier = identifier.text(values), let key = key.text(values), let region = region.text(values),
            let service = service.text(values)
        else { return nil }
        var signer = SignatureVersion4Signer(
            identifier: identifier, key: key, session: session?.text(values), region: region, service: service)
        if let clock, case .duration(let offset) = values[clock] { signer.offset = offset }
        signer.lifetimeInQuery = lifetimeInQuery
        guard signer.isUsable else {
            throw CountersignError(
                .invalidRequest,
                detail:
                    "the request cannot be signed: the key's identifier or region has a character that is not allowed in a header field"
            )
        }
        return signer
    }

    /// Whether the signature uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        [identifier, key, session, region, service].compactMap(\.self).contains { $0.uses(slots) }
    }
}

/// An access key that signs requests.
package struct AccessKey: Sendable, RedactedDescription {
    package let identifier, secret: String
    /// The session token of a temporary key.
    package let session: String?
    /// The expiry date; `nil` if unknown.
    package let expires: Date?
}
