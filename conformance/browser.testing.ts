import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** A page in a browser of its own, with what should never happen in it. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts, of the content security policy, and requests to other hosts. */
  readonly faults: string[];
  close(): Promise<void>;
}

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
}

/** Starts Debian's Chromium. */
export function startBrowser(): Promise<Browser> {
  // Tests run as root, who has no sandbox there.
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a tab of a new session at `origin`. */
export async function openTab(browser: Browser, origin: string, options: TabOptions = {}): Promise<Tab> {
  const { width = 1280, height = 860, isDark = false } = options;
  const context: BrowserContext = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme: isDark ? "dark" : "light",
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", (fault) => faults.push(String(fault)));
  page.on("console", (message) => {
    // Browsers log every refused request, which pages show in their own way.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asked ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

/** Signs in on the console's page, with the keyboard alone. */
export async function signInAs({ page }: Tab, login: string, pass: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Login or e-mail").fill(login);
  await page.keyboard.press("Tab");
  await page.keyboard.type(pass);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}
