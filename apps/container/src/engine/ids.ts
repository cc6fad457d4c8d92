/** 64 hexadecimal digits. */
export type ContainerId = string & { readonly [containerId]: true };
declare const containerId: unique symbol;
