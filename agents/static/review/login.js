// Log in by a password, or by the hospital's own login where the server has one.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { get, post } from "/static/review/server.js";

export function LoginView({ enter, say }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(
    location.hash === "#not-admitted" ? "Your account has no role on this page." : "",
  );
  const first = useRef(null);
  const [door, setDoor] = useState({ password: true, oidc: false });

  useEffect(() => {
    get("/api/door").then(setDoor, () => {});
    first.current.focus();
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    setBusy(true);
    setProblem("");
    try {
      const visit = await post("/api/login", {
        name: form.get("name"),
        password: form.get("password"),
      });
      say("");
      await enter(visit);
    } catch (error) {
      setBusy(false);
      setProblem(
        error.status === 401
          ? "Name or password is wrong."
          : error.status === 429
            ? `Too many wrong passwords. Try again in ${error.retryAfter} seconds.`
            : error.message,
      );
    }
  };

  return html`
    <section class="login card" aria-labelledby="login-title">
      <h1 id="login-title">Log in</h1>
      <p class="quiet">Originals of notes are shown to reviewers alone. Every view is recorded.</p>
      ${door.oidc &&
      html`<p><a class="button" href="/api/oidc/login">Log in with your hospital account</a></p>`}
      ${html`<form onSubmit=${submit}>
        <label>Name <input name="name" autocomplete="username" required ref=${first} /></label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <button class="main" disabled=${busy}>${busy ? "Checking" : "Log in"}</button>
      </form>`}
    </section>
  `;
}
