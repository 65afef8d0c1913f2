@_spi(Generated) internal import Countersign
@_spi(Generated) internal import CountersignGSSAPI
@_spi(Generated) internal import CountersignIdentity
@_spi(Generated) internal import CountersignJWT
internal import CountersignSpec

extension ResolvedProgram {
    /// What its steps need that the runtime's core has no code for.
    var tools: ProgramTools {
        ProgramTools(
            certificates: makesCertificates ? CertificateMaker() : nil, signatures: verifiesTokens ? SignatureVerifier() : nil,
            signer: signsTokens ? TokenSigner() : nil, contexts: showsTickets ? GSSAPISecurity() : nil)
    }
}
