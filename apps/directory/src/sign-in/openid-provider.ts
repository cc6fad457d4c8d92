import { setTimeout as delay } from "node:timers/promises";
import * as openid from "openid-client";
import { type Identity, MOST_GROUPS, type PendingSignIn, type SignInProvider, SsoError } from "./sso.ts";

/** How the directory signs people in at a provider of OpenID Connect. */
export interface ProviderSettings {
  readonly issuer: URL;
  readonly clientId: string;
  /** Undefined for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** The claim that a new user's login is made of. */
  readonly loginClaim: string;
  /** The claim that lists the names of the person's groups; undefined leaves memberships as they are. */
  readonly groupsClaim: string | undefined;
}

const TIMEOUT_SECONDS = 10;
const PATIENCE_MS = 1_000;
const LONGEST_LOGIN = 256;

type Claims = Readonly<Record<string, unknown>>;

/** A provider of OpenID Connect: the code flow with PKCE, a state and a nonce. */
export class OpenIdProvider implements SignInProvider {
  readonly #settings: ProviderSettings;
  #discovered: Promise<openid.Configuration> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** Where the browser goes to sign in. @throws SsoError `away` */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    const config = await this.#configuration();
    const verifier = openid.randomPKCECodeVerifier();
    const pending = { state: openid.randomState(), nonce: openid.randomNonce(), verifier, redirectUri };
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return { url, pending };
  }

  /** Whom the provider's answer names. @throws SsoError */
  async finish(answer: URLSearchParams, { state, nonce, verifier, redirectUri }: PendingSignIn): Promise<Identity> {
    const config = await this.#configuration();
    const url = new URL(redirectUri);
    url.search = answer.toString();
    try {
      const tokens = await openid.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new SsoError("mismatch", "the provider sent no ID token");
      const asked = config.serverMetadata().userinfo_endpoint;
      const more = asked === undefined ? {} : await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
      return this.#identityOf({ ...claims, ...more }, claims);
    } catch (fault) {
      throw faultOf(fault);
    }
  }

  /** Where one ends the session at the provider too; undefined if it has no such page. @throws SsoError `away` */
  async signOutUrl(returnTo: string): Promise<string | undefined> {
    // The page to sign in on asks for it, which must not wait for a provider that is away.
    const config = await Promise.race([this.#configuration(), delay(PATIENCE_MS, undefined, { ref: false })]);
    if (config === undefined || config.serverMetadata().end_session_endpoint === undefined) return undefined;
    return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
  }

  /** Asks the provider for its description, once it answers. */
  async #configuration(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const authentication = clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret);
    // Plain HTTP is for a provider on this host; the settings refuse any other.
    const insecure = issuer.protocol === "http:" ? [openid.allowInsecureRequests] : [];
    this.#discovered ??= openid
      .discovery(issuer, clientId, undefined, authentication, {
        execute: [...insecure, openid.enableNonRepudiationChecks],
        timeout: TIMEOUT_SECONDS,
      })
      .catch((cause: unknown) => {
        this.#discovered = undefined;
        throw new SsoError("away", `the provider ${issuer.href} does not answer`, { cause });
      });
    return await this.#discovered;
  }

  #identityOf(claims: Claims, { iss, sub }: { readonly iss: string; readonly sub: string }): Identity {
    const { loginClaim, groupsClaim } = this.#settings;
    const { email, email_verified, name } = claims;
    const login = claims[loginClaim];
    return {
      issuer: iss,
      subject: sub,
      // A login that is an address is one that nobody else may claim: it counts as the address does.
      login: loginClaim === "email" && email_verified !== true ? undefined : textOf(login),
      email: email_verified === true ? textOf(email) : undefined,
      name: textOf(name),
      groups: groupsClaim === undefined ? undefined : groupsOf(claims, groupsClaim),
    };
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || text.length > LONGEST_LOGIN || /\p{Cc}/u.test(text) ? undefined : text;
}

/** @throws SsoError where the claim cannot be read: memberships carry limits, so that nobody guesses. */
function groupsOf(claims: Claims, claim: string): readonly string[] {
  const value = claims[claim];
  // Entra ID says so for people in more groups than fit in a token.
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === "object" && elsewhere !== null && claim in elsewhere)
    throw new SsoError("provider", `the provider's claim ${claim} is too long for a token: send fewer groups`);
  if (value === undefined || value === null) return [];
  const names = Array.isArray(value) ? value : [value];
  if (names.length > MOST_GROUPS || !names.every((one) => typeof one === "string"))
    throw new SsoError("provider", `the provider's claim ${claim} must be a list of at most ${MOST_GROUPS} texts`);
  // Keycloak writes paths.
  return names.map((one: string) => one.replace(/^\//, ""));
}

/** What is wrong, in the terms of a sign-in. */
function faultOf(fault: unknown): unknown {
  if (fault instanceof SsoError) return fault;
  if (fault instanceof openid.AuthorizationResponseError)
    return fault.error === "access_denied"
      ? new SsoError("denied", "the provider refused the sign-in, or the person did", { cause: fault })
      : new SsoError("provider", `the provider answered ${fault.error}`, { cause: fault });
  if (fault instanceof openid.ResponseBodyError)
    return new SsoError("provider", `the provider answered ${fault.error}`, { cause: fault });
  if (fault instanceof openid.ClientError) {
    const isAway = fault.code === "OAUTH_TIMEOUT" || fault.code === "OAUTH_ABORT";
    return isAway
      ? new SsoError("away", "the provider does not answer", { cause: fault })
      : new SsoError("mismatch", `the provider's answer cannot be trusted: ${fault.message}`, { cause: fault });
  }
  // What `fetch` throws.
  if (fault instanceof TypeError) return new SsoError("away", "the provider does not answer", { cause: fault });
  return fault;
}
