// The landscape is in the YAML files beside this one.
