import HTTPTypes

extension HTTPResponse.Status {
    /// Whether the server cannot answer at present, so that the response does not show whether it requires a login.
    var isOutage: Bool { [408, 425, 429, 500, 502, 503, 504].contains(code) }
}
