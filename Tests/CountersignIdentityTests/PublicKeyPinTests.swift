import CountersignIdentity
import Testing

@Suite struct `Public key pins` {
}
