// SwiftPM requires a Swift file in a module. The code is generated from the specs beside it.
