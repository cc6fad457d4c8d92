// The prepack script of every published package: refuses any program but pnpm. npm packs `workspace:*` and `catalog:` as they are written,
// and exports that name sources.
const agent = process.env.npm_config_user_agent ?? "";
if (!agent.startsWith("pnpm/")) {
  const command = process.env.npm_command === "publish" ? "npm run release in the repository's root" : "pnpm pack";
  console.error(
    `${process.env.npm_package_name} cannot be packed by ${agent.split(" ")[0] || "this program"}: use ${command}`,
  );
  process.exitCode = 1;
}
