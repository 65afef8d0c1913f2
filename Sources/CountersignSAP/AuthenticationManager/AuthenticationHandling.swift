public import CountersignFoundation

/// Reacts to the results of authentications: `FoundationAuthenticationHandling` under the name of the SDK.
public typealias AuthenticationHandling = FoundationAuthenticationHandling
