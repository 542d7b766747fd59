/** Tells a shim of ours from a file that somebody else put there. */
const MARKER = "# Majordomus hook shim";

/**
 * The project's shim: it finds the program on PATH or in the project's own packages and hands the event on.
 * Where there is none it notes that in the project's log, if it keeps one, and lets its caller go on, always.
 * What a program that fails has printed is dropped: the caller would take it for ours.
 */
export const SHIM_TEXT = `#!/bin/sh
${MARKER}: hands a hook's event to majordomus, and never fails its caller.
# Written by "majordomus hooks install claude-code --project"; "hooks uninstall" takes it away again.
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." 2>/dev/null && pwd) || exit 0

note() {
  log=$here/.ai/local/state/hooks.log
  [ -d "$here/.ai/local/state" ] || return 0
  [ ! -e "$log" ] && [ ! -h "$log" ] || { [ -f "$log" ] && [ ! -h "$log" ]; } || return 0
  [ ! -f "$log" ] || [ "$(wc -c <"$log")" -lt 65536 ] || return 0
  printf '%s hook %s: %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$event" "$1" >>"$log"
}

case \${2-} in
  *[!A-Za-z]* | '') event=unknown ;;
  *) event=$2 ;;
esac
if program=$(command -v majordomus) && [ -x "$program" ]; then
  :
elif [ -x "$here/node_modules/.bin/majordomus" ]; then
  program=$here/node_modules/.bin/majordomus
else
  note 'majordomus is neither on PATH nor in node_modules/.bin' 2>/dev/null
  exit 0
fi
if output=$("$program" "$@" 2>/dev/null); then
  [ -z "$output" ] || printf '%s\\n' "$output"
else
  note "$program ended with status $?" 2>/dev/null
fi
exit 0
`;

/** True for any shim that a version of ours wrote. */
export function isShim(text: string): boolean {
  return text.split("\n", 2)[1]?.startsWith(MARKER) === true;
}
