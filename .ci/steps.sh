# Shared by the scripts of this folder: sourced, not run.

# The scratch folder of packages that depend on this one: this one's own, so that what is compiled is not compiled once more. The build of
# this package goes on from there in seconds.
export COUNTERSIGN_SCRATCH=${COUNTERSIGN_SCRATCH:-$PWD/.build}

# What crashes says where in few lines, so that they are not pushed out of a log by what else Swift says then.
export SWIFT_BACKTRACE=images=none,registers=none,threads=crashed,limit=24,top=4

# So many tests there are at least; raised when tests are added, so that tests that are gone are missed.
MINIMUM_TESTS=3650

STEPS=()

# step "what is shown" command…   runs the command, says how long it took, ends the run if it fails. Then the lines of its output that say why
# come last, where a log of which only the end is kept still has them.
step() {
    local name=$1 start=$SECONDS status=0 log
    shift
    log=$(mktemp)
    printf '\n=== %s\n' "$name"
    "$@" > >(tee "$log") 2>&1 || status=$?
    STEPS+=("$(printf '%-4s %5ds  %s' "$([ $status = 0 ] && echo ok || echo FAIL)" $((SECONDS - start)) "$name")")
    if [ $status != 0 ]; then
        sleep 1  # until tee has written the last lines
        {
            finish
            printf '\n=== why "%s" failed\n' "$name"
            grep -nE '✘|error:|Error:|Fatal|WARNING: ThreadSanitizer|SUMMARY: ' "$log" | cut -c 1-400 | tail -n 40 || true
            printf '...\n'
            tail -n 15 "$log" | cut -c 1-400
        } >&2
        exit $status
    fi
    rm -f "$log"
}

# So many seconds a run may take.
LIMIT=4200

# step_in_time PER_CENT "what is shown" command…   the same, unless it would take the run past LIMIT: then the step is not made, which the table
# says. The step takes at most so many per cent of what the run had taken at the first such step, as measured, so that a machine that is slower, or
# busy, makes fewer of them.
step_in_time() {
    : "${PACE:=$SECONDS}"
    local needed=$((PACE * $1 / 100))
    if [ $((SECONDS + needed)) -le $LIMIT ]; then
        step "${@:2}"
    else
        STEPS+=("$(printf '%-10s  %s' "NOT MADE" "$2: it takes some $needed seconds here, and this run had taken $SECONDS of $LIMIT")")
    fi
}

# A table of the steps so far.
finish() {
    printf '\n=== steps\n'
    printf '%s\n' "${STEPS[@]}"
}

# adopter FOLDER command…   runs a swift command in a package of its own with the shared scratch folder
#
# SwiftPM itself has died of a signal here while it planned a build (libdispatch, in _dispatch_event_loop_drain): a build is then begun once more,
# which is said.
adopter() {
    local folder=$1 command=$2 status=0
    shift 2
    set -- swift "$command" --package-path "$folder" --scratch-path "$COUNTERSIGN_SCRATCH" "$@"
    "$@" || status=$?
    if [ $status -ge 128 ] && [ "$command" = build ]; then
        echo "swift build itself has died with status $status; once more" >&2
        status=0
        "$@" || status=$?
    fi
    return $status
}

# built FOLDER arguments…   builds an adopter and refuses any warning but of other packages
#
# What SwiftPM has planned for another package in the same folder is removed: it went by that at times, built nothing, and said that it was
# complete.
built() {
    local log
    log=$(mktemp)
    rm -f "$COUNTERSIGN_SCRATCH"/{debug,release}.yaml
    if ! adopter "$1" build "${@:2}" >"$log" 2>&1; then
        cat "$log"
        return 1
    fi
    if grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error):' "$log"; then
        echo "the build of $1 is not without warnings" >&2
        return 1
    fi
    tail -n 1 "$log"
}

# ran LOG [MINIMUM]   so many tests at least are in the log, and have passed
ran() {
    local count minimum=${2:-$MINIMUM_TESTS}
    count=$(sed -nE 's/.*Test run with ([0-9]+) tests? in .* passed after .*/\1/p' "$1" | tail -n 1)
    if [ "${count:-0}" -lt "$minimum" ]; then
        echo "${count:-no} tests ran; there are at least $minimum" >&2
        return 1
    fi
}
