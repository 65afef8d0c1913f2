// AWS Signature Version 4, by Amazon's description "AWS Signature Version 4 for API requests": the part of a spec, and the values that it has in
// a request.

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Where a request's signature by AWS Signature Version 4 takes its values from.
public struct SignatureVersion4: Sendable, Hashable {
    /// The identifier of the access key.
    public let identifier: ProgramTemplate
    /// The secret access key.
    public let key: ProgramTemplate
    /// The session token of temporary keys; `nil` where there are none.
    public let session: ProgramTemplate?
    /// The region and the service that requests are for, such as `eu-central-1` and `s3`.
    public let region, service: ProgramTemplate
    /// The slot with how far the server's clock is ahead; `nil` where that is never known.
    public let clock: Int?
    /// How long a signature in the query is good for; `nil` for one in header fields.
    public let lifetimeInQuery: Duration?

    /// Makes the part of a spec.
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

    /// What signs with values; `nil` if one that it needs is absent.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that no header field can have.
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
                    "the request cannot be signed: the key's identifier or the region has a character that no header field can have"
            )
        }
        return signer
    }

    /// Whether a value of one of these slots is a part of it.
    func uses(_ slots: [Int]) -> Bool {
        [identifier, key, session, region, service].compactMap(\.self).contains { $0.uses(slots) }
    }
}

/// An access key as it signs requests.
package struct AccessKey: Sendable, RedactedDescription {
    package let identifier, secret: String
    /// The session token of a temporary key.
    package let session: String?
    /// When it runs out; `nil` if that is not known.
    package let expires: Date?
}
