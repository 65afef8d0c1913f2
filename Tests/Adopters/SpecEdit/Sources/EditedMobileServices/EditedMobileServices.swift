// The YAML beside this file is a copy of Specs/SAPMobileServices, made by `.ci/spec-edit`.
