# Shared by the scripts that run servers of the lab: sourced after steps.sh, not run.

# lab SERVER…   a copy of the lab with its certificate authority; stops the servers and deletes the copy when the script ends
lab() {
    local server stops="" source_lab=${COUNTERSIGN_LAB_SOURCE:-../shared/lab}
    if [ ! -d "$source_lab" ]; then
        echo "missing: $source_lab (set COUNTERSIGN_LAB_SOURCE to the folder of the lab's scripts)" >&2
        exit 1
    fi
    # Not below a folder that only its owner may enter: the lab's web server runs as a user of its own.
    LAB=$(mktemp -d /tmp/countersign-lab.XXXXXX)
    export LAB
    chmod 755 "$LAB"
    cp -r "$source_lab/." "$LAB"
    mkdir -p "$LAB/log"
    for server in "$@"; do stops+="\"\$LAB/stop-$server.sh\"; "; done
    # The names are put in now: when the script ends, the variables of this function are gone.
    trap "$stops rm -rf \"\$LAB\"" EXIT
    lab_logged setup-ca
}

# lab_logged SCRIPT   a script of the lab, which is heard of only if it fails
lab_logged() {
    "$LAB/$1.sh" >"$LAB/log/$1.log" 2>&1 || { cat "$LAB/log/$1.log"; exit 1; }
}

# lab_tests FOLDER [ARGUMENT…]   the tests of an adopter against the lab; fails, too, if they were skipped or were none
lab_tests() {
    local output
    output=$(mktemp)
    if ! COUNTERSIGN_LAB=$LAB adopter "$1" test "${@:2}" 2>&1 | tee "$output"; then
        # What the tests met may be the servers' doing.
        tail -n 40 "$LAB"/log/*.log >&2
        exit 1
    fi
    if grep -qE 'skipped' "$output" || ! grep -qE 'Test run with [1-9][0-9]* tests.* passed' "$output"; then
        echo "the lab's tests did not run" >&2
        exit 1
    fi
}

# lab_command SCRIPT   the command of this package against the lab, as a script of this folder has it
lab_command() {
    local command="$COUNTERSIGN_SCRATCH/debug/countersign"
    [ -x "$command" ] || swift build --product countersign
    ".ci/$1" "$command"
}
