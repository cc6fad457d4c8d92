#!/usr/bin/env bash
# npm run conformance: only the tests that drive real clients against a real Berth. Arguments go to vitest.
exec bash "$(dirname "$0")/test.sh" conformance "$@"
