// Lists what the interface offers, by its own description, and sends what the form holds.
"use strict";

const TOKEN = "deidstream-api-token";
const byId = (id) => document.getElementById(id);

let token = sessionStorage.getItem(TOKEN) || "";
let described = null;
let operations = [];

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const headers = () => (token ? { Authorization: `Bearer ${token}` } : {});

function say(words, bad = false) {
  byId("state").textContent = words;
  byId("state").className = bad ? "bad" : "say";
}

const resolve = (schema) => (schema?.$ref ? described.components.schemas[schema.$ref.split("/").pop()] : schema) || {};

// The example that the description gives, or an empty object: all bodies are objects.
function exampleOf(content) {
  if (content.example !== undefined) return content.example;
  const schema = resolve(content.schema);
  const forms = [schema, ...(schema.oneOf || schema.anyOf || []).map(resolve)];
  return forms.map((form) => form.example ?? form.examples?.[0]).find((each) => each !== undefined) ?? {};
}

function listOperations() {
  return Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })));
}

const chosen = () => operations[Number(byId("operation").value)];
const bodyOf = ({ operation }) => Object.entries(operation.requestBody?.content || {})[0];

function showOperation() {
  const call = chosen();
  const body = bodyOf(call);
  byId("does").textContent = call.operation.description || "";
  byId("body-label").hidden = byId("body").hidden = !body;
  if (body) {
    const [kind, content] = body;
    const example = exampleOf(content);
    byId("body-label").firstElementChild.textContent = `Body (${kind})`;
    byId("body").value = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  }
  byId("parameters").replaceChildren(...(call.operation.parameters || []).map((each, at) =>
    element("p", {},
      element("label", { htmlFor: `parameter-${at}` }, `${each.name} (${each.in}${each.required ? "" : ", may be empty"})`),
      element("br", {}),
      element("input", { id: `parameter-${at}`, name: each.name, required: Boolean(each.required) }))));
  byId("reply").hidden = true;
}

async function describe() {
  const answer = await fetch("openapi.json", { headers: headers(), cache: "no-store" });
  if (answer.status === 401) return say("This server asks for a token, or refuses this one.", true);
  if (!answer.ok) return say(`The description cannot be read: status ${answer.status}.`, true);
  described = await answer.json();
  operations = listOperations();
  byId("about").textContent = described.info.description;
  byId("operation").replaceChildren(...operations.map(({ path, method, operation }, at) =>
    element("option", { value: String(at) }, `${method} ${path}: ${operation.summary || ""}`)));
  const first = operations.findIndex(({ path }) => path === "/v1/deidentify");
  byId("operation").value = String(Math.max(first, 0));
  byId("call").hidden = false;
  showOperation();
  say(`${operations.length} calls are offered.`);
}

function addressOf(call) {
  let { path } = call;
  const asked = new URLSearchParams();
  for (const [at, each] of (call.operation.parameters || []).entries()) {
    const { value } = byId(`parameter-${at}`);
    if (each.in === "path") path = path.replace(`{${each.name}}`, encodeURIComponent(value));
    else if (each.in === "query" && value) asked.set(each.name, value);
  }
  return path + (asked.size ? `?${asked}` : "");
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf(call, address, body) {
  const parts = [`curl -X ${call.method} ${quoted(new URL(address, location).href)}`];
  if (token) parts.push("-H 'Authorization: Bearer TOKEN'");
  if (body !== undefined) parts.push(`-H ${quoted(`Content-Type: ${bodyOf(call)[0]}`)}`, `-d ${quoted(body)}`);
  return parts.join(" \\\n  ");
}

async function send() {
  const call = chosen();
  const kind = bodyOf(call)?.[0];
  const body = kind ? byId("body").value : undefined;
  const address = addressOf(call);
  const began = performance.now();
  byId("reply").hidden = false;
  byId("status").textContent = "Sent.";
  byId("answer").textContent = "";
  byId("curl").textContent = curlOf(call, address, body);
  try {
    const answer = await fetch(address, { method: call.method, body, cache: "no-store",
      headers: { ...headers(), ...(kind ? { "Content-Type": kind } : {}) } });
    const text = await answer.text();
    byId("status").textContent = `Status ${answer.status} after ${Math.round(performance.now() - began)} ms`;
    byId("status").className = answer.ok ? "" : "bad";
    byId("answer").textContent = inLines(text);
  } catch {
    byId("status").textContent = "The server does not answer.";
    byId("status").className = "bad";
  }
}

function inLines(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

byId("operation").addEventListener("change", showOperation);
byId("call").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
byId("key").addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token").value.trim();
  byId("token").value = "";
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
  describe().catch(() => say("The server does not answer.", true));
});

describe().catch(() => say("The server does not answer.", true));
