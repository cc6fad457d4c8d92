/** What to say of a sign-in at a provider that came to nothing, by the directory's word for it. */
export const SSO_FAULT_TEXTS: Readonly<Record<string, (provider: string) => string>> = {
  off: () => "Sign-in at a provider is not set up any more. Use a password.",
  expired: () => "This sign-in took too long, or began in another browser. Try again.",
  mismatch: (provider) => `The answer of ${provider} does not belong to this sign-in. Try again, from here.`,
  denied: (provider) => `${provider} did not let you in, or you cancelled.`,
  provider: (provider) => `${provider} answered with an error. An administrator finds it in the directory's log.`,
  away: (provider) => `${provider} does not answer. Try again later, or use a password.`,
  unknown: (provider) =>
    `${provider} knows you, but nobody here has your verified e-mail address. Ask an administrator to add you with it.`,
  taken: () => "Another user here has your login or e-mail address. Ask an administrator.",
  disabled: () => "Your user is disabled. Ask an administrator.",
};
