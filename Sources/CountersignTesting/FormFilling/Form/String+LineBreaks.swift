extension String {
    /// The bytes of a form's text: forms send every line break, however it is written, as CR and LF.
    var utf8WithNetworkLineBreaks: [UInt8] {
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case 0x0D: bytes += [0x0D, 0x0A]
            case 0x0A: if previous != 0x0D { bytes += [0x0D, 0x0A] }
            default: bytes.append(byte)
            }
            previous = byte
        }
        return bytes
    }
}
