extension CookieJar {
    /// How much a jar takes; what is over a limit goes when a response has been stored.
    ///
    /// The defaults are those that browsers agreed on (RFC 6265bis, sections 5.6 and 6.1). A client of thousands of tenants raises
    /// ``cookies``.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a cookie's `name=value`; a longer cookie is refused.
        public var pairBytes: Int
        /// The most bytes of an attribute's value; a longer attribute is ignored.
        public var attributeBytes: Int
        /// The most cookies of one domain; of more, the expired go first, then those without `Secure`, those unused for longest first.
        public var cookiesPerDomain: Int
        /// The most cookies in all; when there are more, the expired go, and of the others those unused for longest, until nine tenths
        /// of the limit are left.
        public var cookies: Int

        /// Makes limits.
        public init(pairBytes: Int = 4096, attributeBytes: Int = 1024, cookiesPerDomain: Int = 180, cookies: Int = 3000) {
            self.pairBytes = pairBytes
            self.attributeBytes = attributeBytes
            self.cookiesPerDomain = cookiesPerDomain
            self.cookies = cookies
        }
    }
}
