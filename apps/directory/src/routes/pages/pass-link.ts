/** The page of a link to set a password. The link's token stands in the fragment, which no browser sends and no log keeps. */
export const PASS_LINK_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Berth: set your password</title>
    <style>
      body { font: 16px/1.5 sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem }
      label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
      input, button { margin: .25rem 0 1rem; padding: .5rem }
    </style>
  </head>
  <body>
    <h1>Set your password</h1>
    <form>
      <label>New password <input name="pass" type="password" autocomplete="new-password" required></label>
      <label>Once more <input name="again" type="password" autocomplete="new-password" required></label>
      <button>Set password</button>
    </form>
    <p role="status"></p>
    <script src="set-pass/script.js"></script>
  </body>
</html>
`;

export const PASS_LINK_SCRIPT = `const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const token = location.hash.slice(1);
if (token === "") status.textContent = "This link is incomplete: open it as it was given to you.";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { pass, again } = form.elements;
  if (pass.value !== again.value) {
    status.textContent = "The two passwords differ.";
    return;
  }
  const answer = await fetch("pass", {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: "Bearer " + token },
    body: JSON.stringify({ pass: pass.value }),
  });
  if (answer.ok) {
    form.hidden = true;
    status.textContent = "Your password is set. This link works no more.";
  } else if (answer.status === 401) status.textContent = "This link was used or has expired: ask for another one.";
  else status.textContent = (await answer.json()).detail;
});
`;
