extension CookieJar {
    /// The limits of a jar, enforced after each response.
    ///
    /// The defaults are those of browsers (RFC 6265bis, sections 5.6 and 6.1). A client of thousands of tenants needs a larger
    /// value of ``cookies``.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of a cookie's `name=value` in bytes. A larger cookie is refused.
        public var pairBytes: Int
        /// The maximum size of an attribute's value in bytes. A larger attribute is ignored.
        public var attributeBytes: Int
        /// The maximum number of cookies per domain. Beyond it, expired cookies are removed first, then cookies without `Secure`,
        /// then the least recently used.
        public var cookiesPerDomain: Int
        /// The maximum number of cookies in the jar. Beyond it, expired cookies are removed, then the least recently used until
        /// nine tenths of the limit remain.
        public var cookies: Int

        /// Creates limits.
        public init(pairBytes: Int = 4096, attributeBytes: Int = 1024, cookiesPerDomain: Int = 180, cookies: Int = 3000) {
            self.pairBytes = pairBytes
            self.attributeBytes = attributeBytes
            self.cookiesPerDomain = cookiesPerDomain
            self.cookies = cookies
        }
    }
}
