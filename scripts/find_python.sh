# Sourced by ./play and ./test, which set $root: sets $python to a Python >= 3.11, or ends with one line that says what is missing.
too_old=
python=
for candidate in "$root/.venv/bin/python" python3 python python3.14 python3.13 python3.12 python3.11; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    found=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case $found in
        [12].* | 3.[0-9] | 3.10) [ -n "$too_old" ] || too_old="Python $found" ;;
        *) python=$candidate && break ;;
    esac
done
if [ -z "$python" ]; then
    echo "./$(basename -- "$0"): Ziggurat needs Python 3.11 or newer, but found ${too_old:-none}. Get one from your system's packages or https://www.python.org/downloads/" >&2
    exit 1
fi
unset candidate found too_old
