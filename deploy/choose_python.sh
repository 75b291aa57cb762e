#!/usr/bin/env bash
# Prints the fastest Python 3.11 on PATH that can make a virtual environment; where there is none, python3.
# How an interpreter was built decides what the text of a note costs: one without profile-guided optimization,
# as pyenv builds it unless told otherwise, takes a fifth longer (docs/performance.md).
set -euo pipefail

# Hundredths of a millisecond of processor time for what the stages do most: the least of seven.
read -r -d '' measure <<'EOF' || true
import sys, time
import ensurepip, sqlite3, ssl, venv
if sys.version_info[:2] != (3, 11):
    sys.exit(1)
def work():
    seen = {}
    for number in range(30_000):
        word = str(number % 997)
        seen[word] = seen.get(word, 0) + len(word)
        if word.startswith("9") and word.isdigit():
            seen[word] -= 1
def spend():
    start = time.process_time()
    work()
    return time.process_time() - start
print(int(1e5 * min(spend() for _ in range(7))))
EOF

list_candidates() { # python3 first, then each python3.11 in the order of PATH
  command -v python3 || true
  type -ap python3.11 || true
}

chosen=
least=
while IFS= read -r candidate; do
  spent=$("$candidate" -c "$measure" 2>/dev/null) || continue
  # A later one has to be clearly faster, so that the choice does not change from one run to the next.
  if [ -z "$chosen" ] || [ "$((spent * 8))" -lt "$((least * 7))" ]; then
    chosen=$candidate
    least=$spent
  fi
done < <(list_candidates)
echo "${chosen:-python3}"
