/// Devices that wait for a user (RFC 8628).
extension TokenLedger {
    /// A device that waits for a user.
    struct Device {
        let family: Family
        /// The user code, without a hyphen.
        let userCode: String
        let expires: Instant
        /// The minimum polling interval.
        var interval: Duration
        /// The time of the last poll.
        var lastQuestion: Instant?
        /// The user's decision; `nil` before it.
        var answer: Answer?
    }

    enum Answer {
        case allowed(user: String)
        case denied
    }

    /// The letters of user codes: consonants, which form no words (section 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    /// Returns a device code and a user code.
    mutating func makeDevice(
        for client: MockOAuth2Client, scopes: [String], claims: String?, at now: Instant
    ) -> (deviceCode: String, userCode: String) {
        let deviceCode = makeText(ending: "+/&=%43")
        var userCode = ""
        for _ in 0..<8 { userCode.append(Self.letters[Int(random.next(upperBound: UInt64(Self.letters.count)))]) }
        devices = devices.filter { now < $0.value.expires }
        devices[deviceCode] = Device(
            family: Family(clientID: client.id, user: nil, scopes: scopes, claims: claims), userCode: userCode,
            expires: now + rules.deviceCodeLifetime, interval: rules.deviceInterval)
        return (deviceCode, userCode.prefix(4) + "-" + userCode.suffix(4))
    }

    /// Records the decision of a user, and returns whether a device was waiting with this code.
    mutating func settle(userCode: String, by user: String?, at now: Instant) -> Bool {
        let typed = userCode.uppercased().filter { $0 != "-" && $0 != " " }
        guard
            let code = devices.first(where: { $0.value.userCode == typed && now < $0.value.expires && $0.value.answer == nil })?.key
        else { return false }
        devices[code]?.answer = user.map { .allowed(user: $0) } ?? .denied
        return true
    }

    /// Issues tokens for a device code, which is single-use (sections 3.4 and 3.5).
    mutating func redeem(
        deviceCode text: String, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let device = devices[text], device.family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The device code is unknown or belongs to another client.") }
        guard now < device.expires else {
            devices[text] = nil
            throw OAuth2Refusal(.expiredToken, "The device code has expired.")
        }
        devices[text]?.lastQuestion = now
        if let last = device.lastQuestion, now < last + device.interval {
            devices[text]?.interval += .seconds(5)
            throw OAuth2Refusal(.slowDown, "The device polls too often.")
        }
        switch device.answer {
        case nil: throw OAuth2Refusal(.authorizationPending, "The user has not responded yet.")
        case .denied:
            devices[text] = nil
            throw OAuth2Refusal(.accessDenied, "The user denied access.")
        case .allowed(let user):
            devices[text] = nil
            let family = Family(
                clientID: client.id, user: user, scopes: device.family.scopes, claims: device.family.claims)
            let number = add(family)
            return issue(
                in: number, scopes: family.scopes,
                refreshToken: client.grants.contains(.refreshToken) ? makeRefreshToken(in: number, at: now) : nil, at: now)
        }
    }
}
