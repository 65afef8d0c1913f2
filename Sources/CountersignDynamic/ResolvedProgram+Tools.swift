@_spi(Generated) internal import Countersign
@_spi(Generated) internal import CountersignGSSAPI
@_spi(Generated) internal import CountersignIdentity
@_spi(Generated) internal import CountersignJWT
internal import CountersignSpec

extension ResolvedProgram {
    /// The tools that the steps need and the runtime's core does not contain.
    var tools: ProgramTools {
        ProgramTools(
            certificates: makesCertificates ? CertificateMaker() : nil, signatures: verifiesTokens ? SignatureVerifier() : nil,
            signer: signsTokens ? TokenSigner() : nil, contexts: showsTickets ? GSSAPISecurity() : nil)
    }
}
