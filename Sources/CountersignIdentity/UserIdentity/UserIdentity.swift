public import Countersign
public import HTTPTypes

/// An identity as credentials of an application are: obtained, kept as an archive, presented on connections.
public struct UserIdentity: ApplicationCredential {
    /// What connections are made with.
    public let identity: ClientIdentity
    /// The PKCS #12 archive that it came in, as stores keep it.
    let archive: SecretBytes

    public static func == (left: UserIdentity, right: UserIdentity) -> Bool { left.identity == right.identity }

    /// An identity is in no field.
    public func attach(to fields: inout HTTPFields, as attachment: CredentialAttachment) {}

    public var connectionIdentity: ConnectionIdentity? { identity.connectionIdentity }
}

extension ClientIdentity {
    /// What a transport takes.
    public var connectionIdentity: ConnectionIdentity {
        ConnectionIdentity(certificateChain: certificateChain, privateKey: privateKey.pkcs8)
    }
}
