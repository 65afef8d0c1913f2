extension Generation {
    /// A generation as an exchange carries it: of whichever space of an observer, it is another one than those of all others.
    ///
    /// - Parameter number: The space's number, from 1 on.
    func carried(ofSpace number: UInt64) -> Generation { Generation(number << 32 | self.number) }

    /// The number of the space that a generation which an exchange carried is of; 0 for none.
    var spaceNumber: UInt64 { number >> 32 }

    /// The generation of a space that an exchange carried; `nil` if it is one of another space, or none.
    func own(ofSpace number: UInt64) -> Generation? {
        spaceNumber == number ? Generation(self.number & 0xFFFF_FFFF) : nil
    }
}
