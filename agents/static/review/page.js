// The page: who is logged in, which view is open, and what is announced to everybody.

import { html, render, useEffect, useState } from "/static/vendor/htm-preact.js";
import { LoginView } from "/static/review/login.js";
import { ListsView } from "/static/review/lists.js";
import { WorkView } from "/static/review/work.js";
import { ENDED, get, post, useToken } from "/static/review/server.js";

function Page() {
  const [visit, setVisit] = useState(null);
  const [ready, setReady] = useState(false);
  const [facts, setFacts] = useState(null);
  const [list, setList] = useState(null);
  const [said, setSaid] = useState({ text: "", bad: false });

  const say = (text, bad = false) => setSaid({ text, bad });
  const complain = (error) => say(error.message, true);
  // What was said is about what was on the screen.
  const open = (wanted) => {
    say("");
    setList(wanted);
  };

  const enter = async (found) => {
    useToken(found.csrf);
    // Where this fails, the login form says so.
    setFacts(await get("/api/facts"));
    setVisit(found);
  };

  useEffect(() => {
    get("/api/visit")
      .then((found) => found.name && enter(found))
      .catch(complain)
      .then(() => setReady(true));
    const leave = () => {
      setVisit((before) => {
        if (before) say(ENDED, true);
        return null;
      });
      setList(null);
    };
    window.addEventListener("logged-out", leave);
    return () => window.removeEventListener("logged-out", leave);
  }, []);

  useEffect(() => {
    if (!said.text || said.bad) return undefined;
    const timer = setTimeout(() => setSaid({ text: "", bad: false }), 6000);
    return () => clearTimeout(timer);
  }, [said]);

  const leave = async () => {
    try {
      await post("/api/logout");
    } catch (error) {
      // A login that has ended is no failure; one that goes on must not look as if it had ended.
      return error.status === 401 ? undefined : complain(error);
    }
    useToken("");
    setVisit(null);
    setList(null);
    return say("You are logged out.");
  };

  if (!ready) return html`<p class="loading" role="status">Loading</p>`;
  const tools = { facts, visit, say, complain, setFacts };
  return html`
    <a class="skip" href="#main">Skip to the notes</a>
    <header class="top">
      <div class="brand">
        <img src="/static/review/icon.svg" alt="" width="24" height="24" />
        <span>deidstream <b>review</b></span>
      </div>
      <div class=${said.bad ? "said bad" : "said"} role=${said.bad ? "alert" : "status"}>
        ${said.text &&
        html`<span>${said.text}</span>
          <button class="plain" aria-label="Dismiss" onClick=${() => say("")}>✕</button>`}
      </div>
      ${visit &&
      html`<nav class="who" aria-label="Session">
        ${list && html`<button class="plain" onClick=${() => open(null)}>All lists</button>`}
        <span class="user">${visit.name}<small>${visit.role}</small></span>
        <button class="plain" onClick=${leave}>Log out</button>
      </nav>`}
    </header>
    <main id="main" tabindex="-1">
      ${!visit
        ? html`<${LoginView} enter=${enter} say=${say} />`
        : list
          ? html`<${WorkView} id=${list} tools=${tools} leave=${() => setList(null)} />`
          : html`<${ListsView} tools=${tools} open=${open} />`}
    </main>
  `;
}

render(html`<${Page} />`, document.getElementById("page"));
