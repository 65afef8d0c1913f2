// The landscape is in the YAML beside this file; a target needs one Swift file.
