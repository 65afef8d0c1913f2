import CountersignSAP

extension SAPURLSession {
    /// Makes a session whose requests may take as long as they do while thousands of other tests begin.
    static func patient(over transport: any HTTPTransport) -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.session.requestTimeout = .seconds(3_600)
        return SAPURLSession(configuration: configuration, transport: transport)
    }
}
