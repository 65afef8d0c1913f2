/// What is thrown inside, next to SwiftASN1's errors, where bytes are not the structure that was expected; outside it is an
/// ``IdentityError``.
struct UnexpectedStructure: Error {}
