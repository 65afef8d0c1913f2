extension CountersignError {
    /// Creates the error of a failed flight, for methods without their own error for it.
    init(_ failure: FlightFailure, authenticationMethod: String, origin: Origin? = nil) {
        let (code, detail): (Code, String) =
            switch failure {
            case .busy: (.busy, "an authentication of the same authenticator is running")
            case .cancelled: (.cancelled, "the authentication was cancelled")
            case .timedOut: (.timedOut, "the authentication exceeded its time limit")
            case .sessionEnded: (.sessionEnded, "the user's session ended during the authentication")
            case .tooManyAttempts: (.tooManyAuthentications, "too many authentications were started in too short a time")
            }
        self.init(code, detail: detail, authenticationMethod: authenticationMethod, origin: origin)
    }
}
