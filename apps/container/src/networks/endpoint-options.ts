/** The driver option of an endpoint with the sysctls of its interface, `IFNAME` in place of the interface's name. */
export const ENDPOINT_SYSCTLS = "com.docker.network.endpoint.sysctls";
