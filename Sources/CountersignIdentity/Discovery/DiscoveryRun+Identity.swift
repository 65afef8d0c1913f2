internal import Countersign
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DiscoveryRun {
    mutating func makeKey(_ step: KeyStep<Values, Failure>) throws {
        let kind: IdentityKey.Kind
        switch step.kind(values).filter({ !$0.isEmpty }) {
        case []: kind = step.otherwise
        case ["p256"]: kind = .p256
        case ["rsa2048"]: kind = .rsa2048
        default: throw DiscoveryFailure.key
        }
        do {
            key = try IdentityKey(generating: kind)
        } catch {
            throw DiscoveryFailure.key
        }
    }

    mutating func makeRequest(_ step: CertificateRequestStep<Values, Failure>) throws {
        guard let key else { throw DiscoveryFailure.key }
        do throws(IdentityError) {
            let names =
                Self.names(step.email(values)).map(SubjectAlternativeName.email)
                + Self.names(step.dns(values)).map(SubjectAlternativeName.dns)
            let subject = try CertificateSubject(step.subject(values).joined(separator: ","))
            values.certificateRequest = try CertificateRequest(
                subject: subject, alternativeNames: names, key: key, needsName: false)
        } catch {
            throw error.code == .keyFailed ? DiscoveryFailure.key : .name(error.detail)
        }
    }

    /// Neither hosts nor addresses have commas, with which parameters list them.
    private static func names(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",") }.map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    mutating func makeIdentity(_ step: IdentityStep<Values, Failure>) throws {
        guard let key else { throw DiscoveryFailure.key }
        var certificates: [[UInt8]] = []
        do {
            for text in step.certificates(values) { certificates += try CertificateBundle(reading: text).certificates }
        } catch {
            throw DiscoveryFailure.certificate(error.detail)
        }
        let identity: ClientIdentity
        do {
            identity = try ClientIdentity(certificates: certificates, privateKey: key)
        } catch {
            throw DiscoveryFailure.mismatch(error.detail)
        }
        guard !identity.isExpired(at: .now) else { throw DiscoveryFailure.mismatch("the certificate is not valid any more") }
        values.identity = identity
    }
}
