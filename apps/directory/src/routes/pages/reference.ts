/** The API reference page; after signing in on it, "Try it out" uses the session. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Berth directory: reference</title>
    <link rel="stylesheet" href="reference/style.css">
    <style>
      body { margin: 0 }
      #session { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; max-width: 1460px; margin: 0 auto;
        padding: 1rem 20px 0; box-sizing: border-box; font: 14px sans-serif; color: #3b4151 }
      #session input, #session button { font: inherit; padding: .35rem .6rem }
      #session [role=status] { font-weight: bold }
      #session [hidden], #session :empty:not(input) { display: none }
    </style>
  </head>
  <body>
    <form id="session">
      <span role="status"></span>
      <label>Login or e-mail <input name="login" autocomplete="username" required></label>
      <label>Password <input name="pass" type="password" autocomplete="current-password" required></label>
      <label hidden>Code <input name="code" autocomplete="one-time-code" disabled></label>
      <button name="in">Sign in</button>
      <button name="out" type="button" hidden>Sign out</button>
    </form>
    <div id="reference"></div>
    <script src="reference/script.js"></script>
    <script src="reference/start.js"></script>
  </body>
</html>
`;

/** The page's script. Scripts cannot read the session cookie, so it asks /api/me who is signed in. */
export const START = `const form = document.querySelector("#session");
const { login, pass, code, in: signIn, out: signOut } = form.elements;
const status = form.querySelector("[role=status]");

// A second factor's code is asked for once the password was right.
function askForCode(isAsked) {
  code.parentElement.hidden = code.disabled = !isAsked;
  code.value = "";
}

function show(user, fault) {
  status.textContent = fault ?? (user ? "Signed in as " + user.login + " (" + user.role + ")" : "");
  for (const field of [login, pass]) field.parentElement.hidden = field.disabled = user !== undefined;
  signIn.hidden = user !== undefined;
  signOut.hidden = user === undefined;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const proofs = { login: login.value, pass: pass.value, ...(code.disabled ? {} : { code: code.value }) };
  const body = JSON.stringify({ ...proofs, cookie: true });
  const answer = await fetch("login", { method: "POST", headers: { "content-type": "application/json" }, body });
  const told = await answer.json();
  const needsCode = told.code === "second-factor-required";
  if (!needsCode) pass.value = "";
  askForCode(needsCode);
  if (answer.ok) show(told.user);
  else show(undefined, told.detail);
});

signOut.addEventListener("click", async () => {
  const answer = await fetch("logout", { method: "POST" });
  // 401 means that the session has already ended.
  if (answer.ok || answer.status === 401) show(undefined);
  else show(undefined, (await answer.json()).detail);
});

fetch("me").then(async (answer) => show(answer.ok ? await answer.json() : undefined));

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;
