// openapi-typescript uses the compiler's JavaScript API, which the workspace's TypeScript 7 does not have.
function readPackage(manifest) {
  if (manifest.name === "openapi-typescript") {
    delete manifest.peerDependencies.typescript;
    manifest.dependencies.typescript = "5.9.3";
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
