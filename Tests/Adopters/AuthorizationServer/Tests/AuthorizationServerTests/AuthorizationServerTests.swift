import Testing

/// All that needs the lab: one test after another, for the server's tokens are the same for all of them.
@Suite(.serialized, .enabled(if: Lab.isRunning, "set COUNTERSIGN_LAB to the folder of the running lab (../shared/lab/README.md)"))
struct `Tokens of an OAuth 2 server not written here` {}
