// The rest of this module is generated.
