@_spi(Generated) public import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Creates the keys and certificates of a spec's steps.
@_spi(Generated) public struct CertificateMaker: CertificateMaking {
    @_spi(Generated) public init() {}

    @_spi(Generated) public func value(of function: CertificateFunction, _ values: [ProgramValue]) throws(StepFailure)
        -> ProgramValue
    {
        switch function {
        case .key(let name):
            guard let kind = name.text(values).flatMap(IdentityKey.Kind.init(name:)), let key = try? IdentityKey(generating: kind)
            else { throw .key }
            return .data(key.pkcs8)
        case .request(let key, let subject, let dns, let email):
            let names =
                Self.names(email?.text(values)).map(SubjectAlternativeName.email)
                + Self.names(dns?.text(values)).map(SubjectAlternativeName.dns)
            let request = try request(subject?.text(values) ?? "", names, key: Self.key(values[key]))
            return .data(SecretBytes(request.der))
        case .identity(let key, let certificates):
            let identity = try identity(values[certificates].texts, key: Self.key(values[key]))
            return .identity(identity.connectionIdentity)
        case .pem(let slot):
            if case .data(let request) = values[slot] { return .text(CertificateRequest(der: request.bytes).pem) }
            return Self.identity(values[slot]).map { .text($0.certificatePEM) } ?? .absent
        case .serialNumber(let slot): return Self.identity(values[slot]).map { .text($0.serialNumber) } ?? .absent
        case .lifetime(let slot):
            return Self.identity(values[slot]).map { .duration(.seconds($0.notValidAfter.timeIntervalSinceNow)) } ?? .absent
        }
    }

    /// Returns the identity of a value; `nil` if it is not an identity.
    static func identity(_ value: ProgramValue) -> ClientIdentity? {
        guard case .identity(let identity) = value, let key = try? IdentityKey(pkcs8: identity.privateKey.bytes) else { return nil }
        return try? ClientIdentity(certificates: identity.certificateChain, privateKey: key)
    }

    private static func key(_ value: ProgramValue) throws(StepFailure) -> IdentityKey {
        guard case .data(let bytes) = value, let key = try? IdentityKey(pkcs8: bytes.bytes) else { throw .key }
        return key
    }

    /// Splits a parameter into names at commas, which occur neither in host names nor in mail addresses.
    private static func names(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    private func request(
        _ subject: String, _ names: [SubjectAlternativeName], key: IdentityKey
    ) throws(StepFailure) -> CertificateRequest {
        do throws(IdentityError) {
            return try CertificateRequest(
                subject: try CertificateSubject(subject), alternativeNames: names, key: key, needsName: false)
        } catch {
            throw error.code == .keyFailed ? .key : StepFailure(.name, error.detail)
        }
    }

    private func identity(_ texts: [String], key: IdentityKey) throws(StepFailure) -> ClientIdentity {
        var certificates: [[UInt8]] = []
        do throws(IdentityError) {
            for text in texts { certificates += try CertificateBundle(reading: text).certificates }
        } catch {
            throw StepFailure(.certificate, error.detail)
        }
        let identity: ClientIdentity
        do throws(IdentityError) {
            identity = try ClientIdentity(certificates: certificates, privateKey: key)
        } catch {
            throw StepFailure(.mismatch, error.detail)
        }
        guard !identity.isExpired(at: .now) else { throw StepFailure(.mismatch, "the certificate has expired") }
        return identity
    }
}

extension IdentityKey.Kind {
    /// Creates the kind with this name in specs; `nil` if there is none.
    fileprivate init?(name: String) {
        switch name {
        case "p256": self = .p256
        case "rsa2048": self = .rsa2048
        default: return nil
        }
    }
}

extension StepFailure {
    fileprivate static var key: StepFailure { StepFailure(.key, "the kind of key is not supported, or the key could not be made") }
}
