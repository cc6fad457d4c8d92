# shellcheck shell=bash
# The archives of the published packages, as npm's registry gets them. Sourced, never run.

# pack_packages: packs every published package into .cache/release, and checks what is in the archives.
pack_packages() {
  local package archive wrong
  rm -rf "$root/.cache/release" && mkdir -p "$root/.cache/release"
  for package in packages/*; do
    [ "$(node -p "require('./$package/package.json').private === true")" = false ] || continue
    # pnpm alone writes the versions of the workspace into what it packs.
    (cd "$package" && pnpm pack --pack-destination "$root/.cache/release" >/dev/null) || fail "$package could not be packed"
  done
  for archive in .cache/release/*.tgz; do
    wrong=$(node scripts/check-archive.mjs "$archive") || fail "$archive cannot be published:"$'\n'"$wrong"
    step packed "$archive"
  done
}
