# shellcheck shell=bash
# Debian's packages: which are missing, and their installation. Sourced, never run.
# A package is looked for by what it gives, since another one may give the same: Docker's own containerd.io would be
# removed by an installation of Debian's containerd.

has_command() { command -v "$1" >/dev/null; }
has_static_busybox() { has_command busybox && ! ldd "$(command -v busybox)" >/dev/null 2>&1; }
has_python_module() { /usr/bin/python3 -c "import $1" 2>/dev/null; }
has_postgres() { has_command postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }

# Whether a service of this host has no database of its own.
needs_postgres() {
  [ -z "${DATABASE_URL:-}" ] || return 1
  { runs_here directory && [ -z "${BERTH_DIRECTORY_DATABASE_URL:-}" ]; } ||
    { runs_here container && [ -z "${BERTH_CONTAINER_DATABASE_URL:-}" ]; }
}

# Prints the packages that running Berth needs and this machine lacks.
missing_to_run() {
  needs_postgres && ! has_postgres && say postgresql
  runs_here container || return 0
  has_command containerd || say containerd
  has_command runc || say runc
  has_command nft || say nftables
  has_command conntrack || say conntrack
  has_command ip || say iproute2
  has_static_busybox || say busybox-static
  has_command ps || say procps
  has_command mount || say mount
  # Archives and layers come compressed in every way.
  has_command xz || say xz-utils
  has_command bzip2 || say bzip2
  has_command zstd || say zstd
  has_command gcc || say gcc
  [ -e /usr/include/stdio.h ] || say libc6-dev
}

# Prints the packages that the tests need beyond those.
missing_to_test() {
  has_postgres || say postgresql
  has_command docker-registry || say docker-registry
  has_command docker-compose || say docker-compose
  has_python_module docker || say python3-docker
  has_command curl || say curl
  has_command openssl || say openssl
  has_command script || say bsdutils
  has_command shellcheck || say shellcheck
  has_command skopeo || say skopeo
  has_command buildah || say buildah
  has_command chromium || say chromium
}

# Installs the packages named, telling so first. None of their services is started: what Berth needs it starts itself,
# and a test must not leave a database server behind.
install_packages() {
  [ $# -gt 0 ] || return 0
  has_command apt-get || fail "these are missing, and there is no apt-get here to install them: $*"
  [ "$(id -u)" = 0 ] || fail "these are missing and only root can install them: $*. Run: apt-get install $*"
  step packages "installing from this machine's Debian mirror: $*"
  local status=0
  install_guards=()
  # Also where apt is interrupted: the machine's other services must stay startable.
  trap 'rm -f "${install_guards[@]}"' EXIT
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    install_guards+=(/usr/sbin/policy-rc.d)
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
  fi
  # Debian makes a cluster for a new postgresql: Berth has one of its own.
  mkdir -p /etc/postgresql-common/createcluster.d
  install_guards+=(/etc/postgresql-common/createcluster.d/berth.conf)
  say 'create_main_cluster = off' >/etc/postgresql-common/createcluster.d/berth.conf
  update_package_lists_once
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" || status=$?
  rm -f "${install_guards[@]}"
  trap - EXIT
  [ "$status" = 0 ] || fail "apt-get could not install: $*"
}

update_package_lists_once() {
  [ -z "${package_lists_updated:-}" ] || return 0
  apt-get update -q || fail "apt-get update failed: is Debian's mirror reachable?"
  package_lists_updated=1
}

# unpack NAME FETCH...: unpacks under .cache/NAME the packages that the command FETCH leaves in its working directory.
unpack() {
  local name=$1 parts="$root/.cache/$1.part" package
  shift
  has_command apt-get || fail "$name is missing, and there is no apt-get here to fetch it"
  update_package_lists_once
  rm -rf "$parts" && mkdir -p "$parts/deb/partial" "$parts/root"
  (cd "$parts/deb" && "$@") || fail "apt-get could not download the packages of $name"
  for package in "$parts"/deb/*.deb; do
    dpkg-deb -x "$package" "$parts/root" || fail "$package could not be unpacked"
  done
  rm -rf "$root/.cache/$name" && mv "$parts/root" "$root/.cache/$name" && rm -rf "$parts"
}

# Unpacks Debian's docker.io under .cache/docker, where its programs are on our PATH: installing it would start a second
# engine on the machine.
unpack_docker() {
  [ ! -x "$root/.cache/docker/usr/bin/docker" ] || return 0
  step docker "fetching Debian's docker.io, only to unpack it under .cache/docker"
  unpack docker apt-get download -q -o APT::Sandbox::User=root docker.io
}

# Unpacks Debian's openssh-server, with what it needs that is not on this machine, under .cache/openssh: it goes into a
# test's image, and an installation would let people log in to this machine.
unpack_openssh() {
  [ ! -x /usr/sbin/sshd ] && [ ! -x "$root/.cache/openssh/usr/sbin/sshd" ] || return 0
  step openssh "fetching Debian's openssh-server, only to unpack it under .cache/openssh"
  unpack openssh apt-get install -y -q --no-install-recommends --download-only \
    -o "Dir::Cache::archives=$root/.cache/openssh.part/deb" -o APT::Sandbox::User=root openssh-server
}

# Unpacks Debian's Prometheus under .cache/prometheus, for a test: an installation would start it.
unpack_prometheus() {
  [ ! -x "$root/.cache/prometheus/usr/bin/prometheus" ] || return 0
  step prometheus "fetching Debian's prometheus, only to unpack it under .cache/prometheus"
  unpack prometheus apt-get download -q -o APT::Sandbox::User=root prometheus
}

# Unpacks a real control plane for the tests of places: Kubernetes' programs under .cache/kubernetes, where their archive lies beside
# this repository, and Debian's etcd and kubectl under .cache/kubernetes-tools, since an installation would start etcd.
unpack_kubernetes() {
  local archives=("$root"/../shared/kubernetes/kubernetes-*.tar.xz)
  if [ ! -x "$root/.cache/kubernetes/kube-apiserver" ]; then
    if [ ! -e "${archives[0]}" ]; then
      step kubernetes "not tested here: no archive of its programs in $root/../shared/kubernetes"
      return 0
    fi
    step kubernetes "unpacking ${archives[0]##*/} under .cache/kubernetes"
    rm -rf "$root/.cache/kubernetes" "$root/.cache/kubernetes.part" && mkdir -p "$root/.cache/kubernetes.part"
    tar xJf "${archives[0]}" -C "$root/.cache/kubernetes.part" || fail "${archives[0]} could not be unpacked"
    mv "$root/.cache/kubernetes.part" "$root/.cache/kubernetes"
  fi
  [ ! -x "$root/.cache/kubernetes-tools/usr/bin/kubectl" ] || return 0
  step kubernetes "fetching Debian's etcd-server and kubernetes-client, only to unpack them under .cache/kubernetes-tools"
  unpack kubernetes-tools apt-get download -q -o APT::Sandbox::User=root etcd-server kubernetes-client
}

# Prints the mirror that this machine takes Debian from.
debian_mirror() {
  # shellcheck disable=SC2016  # apt's own variable
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1
}

# Unpacks today's Docker clients of Debian sid (CLI, compose, buildx, docker-py) under .cache/clients. They need
# nothing of sid but themselves.
unpack_clients() {
  [ ! -x "$root/.cache/clients/usr/bin/docker" ] || return 0
  step clients "fetching Debian sid's docker-cli, docker-compose, docker-buildx and docker-py, only to unpack them under .cache/clients"
  unpack clients download_from_sid docker-cli docker-compose docker-buildx python3-docker
}

# Puts the Go of Debian sid on the PATH, unpacked under .cache/go: moby's tests need a newer one than Debian 12 has.
unpack_go() {
  local folder=$root/.cache/go/usr/lib/go-1.26
  if [ ! -x "$folder/bin/go" ]; then
    step go "fetching Debian sid's golang-1.26, only to unpack it under .cache/go"
    unpack go download_from_sid golang-1.26-go golang-1.26-src
  fi
  export PATH=$folder/bin:$PATH
}

# Downloads packages of Debian sid into the working directory. Debian's lists of sid stay out of the machine's own.
download_from_sid() {
  mkdir -p apt/lists/partial apt/cache/archives/partial
  : >apt/status
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' "$(debian_mirror)" >apt/sources.list
  cat >apt/conf <<CONF
Dir::Etc::SourceList "$PWD/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$PWD/apt/lists";
Dir::State::Status "$PWD/apt/status";
Dir::Cache "$PWD/apt/cache";
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
CONF
  export APT_CONFIG="$PWD/apt/conf"
  apt-get update -q && apt-get download -q "$@"
}
