extension QRCode {
    /// The width of the code on a terminal in columns, including the quiet zone.
    var columns: Int { modules.size + 2 * Self.quietZone }

    /// Returns the code with its quiet zone as lines of half blocks, each for two rows of modules.
    ///
    /// - Parameter usesColor: Whether escape sequences for colours are supported. With them the code is black on white in every
    ///   terminal. Without them the light modules are drawn as blocks, for a dark background.
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
            // Themes do not change these two of the 256 colours: black and white.
            return usesColor ? "\u{1B}[38;5;16;48;5;231m\(blocks)\u{1B}[0m" : blocks
        }
    }

    /// Whether a module is dark. Modules outside of the code are light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<modules.size).contains(row) && (0..<modules.size).contains(column) && modules[row, column]
    }
}
