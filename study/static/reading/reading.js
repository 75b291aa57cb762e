// The reading page: two readers mark what was missed, a third one decides where they differ.

import { html, render, useEffect, useState } from "/static/vendor/htm-preact.js";
import { LoginView } from "/static/review/login.js";
import { ENDED, get, post, useToken } from "/static/review/server.js";
import { DisputeView } from "/static/reading/dispute.js";
import { ReaderView } from "/static/reading/reader.js";

function Page() {
  const [visit, setVisit] = useState(null);
  const [ready, setReady] = useState(false);
  const [facts, setFacts] = useState(null);
  const [state, setState] = useState(null);
  const [said, setSaid] = useState({ text: "", bad: false });
  const say = (text, bad = false) => setSaid({ text, bad });
  const complain = (error) => say(error.message, true);

  const look = () => get("/api/reading").then(setState, complain);
  const enter = async (found) => {
    useToken(found.csrf);
    setFacts(await get("/api/facts"));
    setState(await get("/api/reading"));
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
    };
    window.addEventListener("logged-out", leave);
    return () => window.removeEventListener("logged-out", leave);
  }, []);
  const leave = async () => {
    await post("/api/logout").catch(complain);
    useToken("");
    setVisit(null);
  };

  if (!ready) return html`<p class="loading" role="status">Loading</p>`;
  const tools = { facts, say, complain, look };
  return html`
    <header class="top">
      <div class="brand">
        <img src="/static/review/icon.svg" alt="" width="24" height="24" />
        <span>deidstream <b>reading</b></span>
      </div>
      <div class=${said.bad ? "said bad" : "said"} role=${said.bad ? "alert" : "status"}>
        ${said.text && html`<span>${said.text}</span><button class="plain" aria-label="Dismiss" onClick=${() => say("")}>✕</button>`}
      </div>
      ${visit &&
      html`<nav class="who" aria-label="Session">
        <span class="user">${visit.name}<small>${state.role}</small></span>
        <button class="plain" onClick=${leave}>Log out</button>
      </nav>`}
    </header>
    <main id="main" tabindex="-1">
      ${!visit
        ? html`<${LoginView} enter=${enter} say=${say} />`
        : state.role === "reader"
          ? html`<${ReaderView} state=${state} tools=${tools} />`
          : html`<${DisputeView} state=${state} tools=${tools} />`}
    </main>
  `;
}

render(html`<${Page} />`, document.getElementById("page"));
