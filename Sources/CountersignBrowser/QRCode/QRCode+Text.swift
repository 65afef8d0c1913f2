extension QRCode {
    /// The columns that a code takes on a terminal, quiet zone included.
    var columns: Int { modules.size + 2 * Self.quietZone }

    /// The code as lines of half blocks, two rows of modules in each, with the quiet zone around it.
    ///
    /// - Parameter usesColor: Whether escape sequences for colours may be written. With them the code is black on white whatever the
    ///   terminal's colours are; without them its light modules are the blocks, as it has to be on a dark background.
    func lines(usesColor: Bool) -> [String] {
        let range = -Self.quietZone..<(modules.size + Self.quietZone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                switch (isDark(row, column) == usesColor, isDark(row + 1, column) == usesColor) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
            // Two of the 256 colours that no theme changes: black and white.
            return usesColor ? "\u{1B}[38;5;16;48;5;231m\(blocks)\u{1B}[0m" : blocks
        }
    }

    /// Whether a module is dark; those around the code are light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<modules.size).contains(row) && (0..<modules.size).contains(column) && modules[row, column]
    }
}
