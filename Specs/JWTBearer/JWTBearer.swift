// The file by which SwiftPM takes the folder for a module of Swift: the code is generated from the specs beside it.
