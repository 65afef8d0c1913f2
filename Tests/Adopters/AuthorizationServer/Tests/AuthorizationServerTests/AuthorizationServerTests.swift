import Testing

/// The tests that need the lab. They run one after another, because they share the server's tokens.
@Suite(.serialized, .enabled(if: Lab.isRunning, "set COUNTERSIGN_LAB to the folder of the running lab (../shared/lab/README.md)"))
struct `Tokens of an OAuth 2 server not written here` {}
