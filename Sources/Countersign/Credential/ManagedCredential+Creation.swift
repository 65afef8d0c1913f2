#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

extension ManagedCredential {
    /// Creates a credential from values.
    ///
    /// - Parameters:
    ///   - values: All values by slot.
    ///   - signer: The Digest signer; `nil` if it requires a challenge, or if the method does not use Digest.
    ///   - refusals: The refusals in a row before this credential.
    ///   - lifetime: The lifetime; `nil` if a value or the method states it, or if it is unknown.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that no request can carry.
    func held(
        _ values: [ProgramValue], _ cookies: CookieJar?, signer: DigestSigner?, after refusals: Refusals = Refusals(),
        lifetime: TokenLifetime? = nil
    ) throws(CountersignError) -> HeldCredential {
        var duration = method.program.credential.fixedLifetime
        if let slot = method.program.credential.lifetime, case .duration(let stated) = values[slot] { duration = stated }
        var fields: [HTTPField] = []
        var parameters: [FormParameters.Parameter] = []
        var limited: [LimitedPart] = []
        var members: [BodyMembers.Member] = []
        var signature: (any RequestSigning)?
        for placement in method.program.attach {
            if placement.isNamedByCredential(method.parameters) {
                let names = fields.map(\.name) + limited.compactMap(\.field?.name)
                try placement.checkName(values, beside: method.fieldNames + method.announcedNames + names)
            }
            let field = try placement.field(values)
            let parameter = try placement.parameter(values)
            if let methods = placement.requestMethods {
                if let field { limited.append(LimitedPart(.field(field), of: methods)) }
                if let parameter { limited.append(LimitedPart(.parameter(parameter), of: methods)) }
            } else {
                if let field { fields.append(field) }
                if let parameter { parameters.append(parameter) }
            }
            if let member = try placement.member(values) { members.append(member) }
            if let found = try placement.signature(values, with: method.nonces) { signature = found }
        }
        let lifetime = lifetime ?? TokenLifetime(duration, from: now(), jitter: clock.jitter())
        return HeldCredential(
            values: method.credentialSlots.map { values[$0] },
            fields: fields, parameters: parameters, limited: limited,
            members: method.bodyPlace.map { BodyMembers(format: $0.format, members: members) }, signer: signer,
            signature: signature, recipients: method.recipients(values), cookies: cookies,
            identity: method.program.attach.lazy.compactMap { $0.identity(values) }.first, refusals: refusals,
            lifetime: lifetime, expirationDate: lifetime.expiry.map { clock.date().addingTimeInterval(($0 - now()) / .seconds(1)) },
            isRenewable: method.canRenew(values))
    }

    /// Creates a credential from a token.
    func held(_ issued: OAuth2IssuedToken) -> HeldCredential {
        HeldCredential(
            values: [], fields: [issued.token.authorizationField].compactMap(\.self), token: issued.token, cookies: nil,
            identity: nil, refusals: Refusals(), lifetime: issued.lifetime, expirationDate: issued.token.expiryDate,
            isRenewable: issued.token.refreshToken != nil && method.tokens?.isRenewing == true)
    }
}
