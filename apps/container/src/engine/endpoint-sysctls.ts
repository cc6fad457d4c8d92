/** The driver option of an endpoint with the sysctls of its interface, `IFNAME` in place of the interface's name. */
export const ENDPOINT_SYSCTLS = "com.docker.network.endpoint.sysctls";

/** The part of an endpoint's request that has the option. */
export interface WithDriverOptions {
  readonly DriverOpts?: Readonly<Record<string, string>> | null;
}

/**
 * The sysctls that the options of a sandbox's endpoints give to its interfaces, by name.
 *
 * @param endpoints their options as `validateEndpoint` passed them: `net.X.Y.IFNAME.Z=V`, separated by commas.
 */
export function interfaceSysctls(
  endpoints: readonly { readonly interfaceName: string; readonly request: WithDriverOptions }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    endpoints.flatMap(({ interfaceName, request: { DriverOpts } }) =>
      (DriverOpts?.[ENDPOINT_SYSCTLS]?.split(",") ?? []).map((sysctl) => {
        const [name = "", ...value] = sysctl.split("=");
        return [name.replace(/\.IFNAME\./i, `.${interfaceName}.`), value.join("=")];
      }),
    ),
  );
}
